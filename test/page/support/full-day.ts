// Test data for the day view: a day with records of every kind.
import type { Page } from "playwright-core";
import { type Service, today } from "./service.ts";

const company = (id: string, ticker: string, more: object) => ({
  id,
  ticker,
  name: `${ticker} Inc.`,
  date: today,
  ...more,
});

/** Also adds a few records on other days. */
export async function addFullDay(service: Service): Promise<void> {
  await service.has("economics", [
    {
      id: "e1",
      date: today,
      time: "10:00:00",
      country: "USA",
      event_name: "Retail Sales",
      importance: 3,
      actual: "0.9",
      actual_t: "0.9%",
      consensus: "0.4",
      consensus_t: "0.4%",
      prior: "0.1",
    },
    {
      id: "e2",
      date: today,
      time: "08:30:00",
      country: "Germany",
      event_name: "Factory Orders",
      importance: 1,
      actual: "1.0",
      consensus: "2.0",
    },
    {
      id: "e3",
      date: today,
      time: "14:00:00",
      country: "Japan",
      event_name: "Rate Decision",
      importance: 2,
      consensus: "0.25",
    },
    { id: "e4", date: "2026-06-16", time: "08:30:00", event_name: "Yesterday's Release", importance: 1 },
  ]);
  await service.has("earnings", [
    company("a1", "AMC1", {
      time: "amc",
      eps: "1.10",
      eps_est: "1.00",
      eps_surprise_percent: "0.1",
      revenue: "2500000000",
      revenue_est: "2600000000",
    }),
    company("a2", "BMO1", { time: "bmo", eps_est: "0.50" }),
    company("a3", "CLK1", { time: "07:15:00", eps_est: "0.70" }),
  ]);
  await service.has("ratings", [
    company("r1", "KEEP", {
      action_company: "Maintains",
      rating_current: "Hold",
      rating_prior: "Hold",
      analyst: "Firm A",
      importance: 5,
    }),
    company("r2", "RISE", {
      action_company: "Upgrades",
      rating_current: "Buy",
      rating_prior: "Hold",
      analyst: "Firm B",
      pt_prior: "90",
      pt_current: "120",
    }),
  ]);
  await service.has("dividends", [
    company("d1", "EXDV", {
      date: "2026-05-01",
      ex_dividend_date: today,
      dividend: "0.55",
      dividend_prior: "0.50",
      dividend_yield: "0.031",
      payable_date: "2026-07-01",
    }),
    company("d2", "ANNC", { ex_dividend_date: "2026-08-01", dividend: "0.10" }),
  ]);
  await service.has("guidance", [
    company("g1", "GUID", {
      is_primary: "true",
      eps_guidance_min: "1.00",
      eps_guidance_max: "1.20",
      eps_guidance_est: "1.05",
    }),
  ]);
  await service.has("conference-calls", [
    company("c1", "CALL", { start_time: "17:00:00", webcast_url: "https://calls.example.com/1" }),
  ]);
  await service.has("news", [
    { id: 11, title: "First of the day", created: "2026-06-17T09:00:00-04:00", stocks: [{ name: "RISE" }] },
    { id: 12, title: "Of the day before", created: "2026-06-16T18:00:00-04:00" },
    { id: 13, title: "Of the day after", created: "2026-06-18T08:00:00-04:00" },
  ]);
}

export const section = (page: Page, title: string) =>
  page.locator(".day-section").filter({ has: page.getByRole("heading", { name: title, level: 2 }) });

export const rowsOf = async (page: Page, table: string): Promise<string[]> => {
  const rows = page.getByRole("table", { name: table, exact: true }).locator("tbody tr");
  await rows.first().waitFor();
  return (await rows.allInnerTexts()).map((text) => text.replace(/\s+/g, " ").trim());
};
