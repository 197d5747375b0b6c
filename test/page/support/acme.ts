// Test data: a company with ratings from four firms, earnings, guidance, dividends, a call, and news.
import type { Service } from "./service.ts";

const of = (id: string, more: object) => ({
  ...{ id, ticker: "ACME", name: "Acme Works", exchange: "NYSE", currency: "USD" },
  ...more,
});

const rating = (id: string, firm: string, date: string, prior: string, current: string, more: object = {}) =>
  of(id, {
    ...{ date, time: "09:30:00", firm_id: firm, analyst: `${firm} Research`, analyst_name: `Ann ${firm}` },
    ...{
      action_company: "Maintains",
      rating_current: "Buy",
      rating_prior: "Buy",
      pt_prior: prior,
      pt_current: current,
    },
    ...more,
  });

const report = (id: string, date: string, period: string, year: number, eps: string, estimate: string) =>
  of(id, {
    ...{ date, time: "amc", period, period_year: year, date_confirmed: eps === "" ? 0 : 1, eps, eps_est: estimate },
    ...(eps === "" ? {} : { eps_surprise_percent: String((Number(eps) / Number(estimate) - 1).toFixed(4)) }),
  });

/** Also adds a news item about another company. */
export async function addAcme(service: Service): Promise<void> {
  await service.has("ratings", [
    rating("r1", "North", "2025-09-01", "", "100.00", { action_company: "Initiates Coverage On", rating_prior: "" }),
    rating("r2", "North", "2026-01-12", "100.00", "120.00", { action_company: "Upgrades", rating_prior: "Hold" }),
    rating("r3", "South", "2026-02-02", "80.00", "90.00"),
    rating("r4", "South", "2026-05-04", "90.00", "70.00"),
    rating("r5", "East", "2024-03-04", "", "50.00"),
    rating("r6", "West", "2026-03-02", "", "200.00"),
    rating("r7", "West", "2026-04-01", "200.00", "", { action_company: "Terminates Coverage On" }),
  ]);
  await service.has("earnings", [
    report("e1", "2025-05-01", "Q1", 2025, "0.50", "0.40"),
    report("e2", "2025-08-01", "Q2", 2025, "0.50", "0.60"),
    report("e3", "2025-11-01", "Q3", 2025, "0.50", "0.50"),
    report("e4", "2026-02-01", "Q4", 2025, "0.60", "0.50"),
    report("e5", "2026-07-29", "Q1", 2026, "", "0.70"),
  ]);
  await service.has("guidance", [
    of("g1", {
      ...{ date: "2025-05-01", period: "FY", period_year: 2025, is_primary: "true" },
      ...{ eps_guidance_min: "1.80", eps_guidance_max: "2.00", eps_guidance_est: "1.95" },
    }),
    of("g2", {
      ...{ date: "2026-02-01", period: "FY", period_year: 2026, is_primary: "true" },
      ...{ revenue_guidance_min: "1000000000", revenue_guidance_max: "1200000000" },
    }),
  ]);
  await service.has("dividends", [
    of("d1", { date: "2026-02-10", dividend: "0.50", ex_dividend_date: "2026-02-20", payable_date: "2026-03-10" }),
    of("d2", {
      ...{ date: "2026-05-10", dividend: "0.55", dividend_prior: "0.50", frequency: 4, dividend_yield: "0.021" },
      ...{ ex_dividend_date: "2026-06-19", payable_date: "2026-07-10", confirmed: true },
    }),
  ]);
  await service.has("conference-calls", [
    { id: "c1", ticker: "ACME", date: "2026-07-29", start_time: "17:00:00", confirmed: true },
  ]);
  await service.has("news", [
    { id: 1, title: "Acme opens a works", created: "2026-06-17T09:00:00-04:00", stocks: [{ name: "ACME" }] },
    { id: 2, title: "Of another company", created: "2026-06-17T10:00:00-04:00", stocks: [{ name: "OTHER" }] },
  ]);
}
