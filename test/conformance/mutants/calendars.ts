// Servers that break one thing about calendars: records, orders, pages, filters, changes, parameters.
import type { Mutant, ProxiedRequest } from "../broken-server.ts";
import { inEachRecord, inJson, inRecords, mapped, shiftDay, size, without } from "./changes.ts";

export const calendarMutants: readonly Mutant[] = [
  {
    name: "drops a record between pages",
    list: "conference-calls",
    check: "pages",
    response: inRecords((records, { query }) => (Number(query.get("page") ?? 0) > 0 ? records.slice(1) : records)),
  },
  {
    name: "repeats a record at the beginning of the next page",
    list: "conference-calls",
    check: "pages",
    request: ({ query }) => {
      // Pages that overlap by one.
      const [page, length] = [Number(query.get("page") ?? 0), Number(size({ query } as ProxiedRequest))];
      if (page > 0 && length === 7) query.set("pagesize", "6");
    },
  },
  {
    name: "sorts in the wrong direction",
    list: "conference-calls",
    check: "order",
    response: inRecords((records) => records.toReversed()),
  },
  {
    name: "sorts records of a day in any order",
    list: "conference-calls",
    check: "order",
    response: inRecords((records) => records.toSorted((a, b) => (a.date === b.date ? (a.id < b.id ? -1 : 1) : 0))),
  },
  { name: "ignores importance", list: "earnings", check: "filters", request: without("parameters[importance]") },
  {
    name: "filters for exactly this importance",
    list: "earnings",
    check: "filters",
    response: inRecords((records, { query }) => {
      const least = query.get("parameters[importance]") ?? "";
      return /^[0-5]$/.test(least) ? records.filter(({ importance }) => importance === Number(least)) : records;
    }),
  },
  { name: "ignores tickers", list: "earnings", check: "filters", request: without("parameters[tickers]") },
  {
    name: "compares tickers with their case",
    list: "earnings",
    check: "filters",
    request: mapped("parameters[tickers]", (value) => (value === value.toUpperCase() ? value : "NOTHING9")),
  },
  {
    name: "uses only the first of several tickers",
    list: "earnings",
    check: "filters",
    request: mapped("parameters[tickers]", (value) => (value.includes(",,") ? (value.split(",")[0] ?? "") : value)),
  },
  {
    name: "excludes the last day of a range",
    list: "conference-calls",
    check: "filters",
    request: mapped("parameters[date_to]", (day) => shiftDay(day, -1)),
  },
  {
    name: "excludes the first day of a range",
    list: "conference-calls",
    check: "filters",
    request: mapped("parameters[date_from]", (day) => shiftDay(day, 1)),
  },
  {
    name: "returns null instead of an empty text",
    list: "conference-calls",
    check: "records",
    response: inEachRecord((record) =>
      Object.fromEntries(Object.entries(record).map(([name, value]) => [name, value === "" ? null : value])),
    ),
  },
  {
    name: "returns numbers as text",
    list: "conference-calls",
    check: "records",
    response: inEachRecord((record) => ({ ...record, importance: String(record.importance) })),
  },
  {
    name: "leaves out a field",
    list: "conference-calls",
    check: "records",
    response: inEachRecord(({ webcast_url: _, ...record }) => record),
  },
  {
    name: "encloses records in another key",
    list: "conference-calls",
    check: "records",
    response: inJson((body) => ({ data: Object.values(body)[0] })),
  },
  {
    name: "lowers the page size without saying so",
    list: "economics",
    check: "pages",
    request: ({ query }) => {
      if (Number(query.get("pagesize")) > 50 && Number(query.get("pagesize")) <= 1000) query.set("pagesize", "50");
    },
  },
  {
    name: "returns the last page again past the end",
    list: "conference-calls",
    check: "pages",
    request: ({ query }) => {
      if (Number(query.get("page")) > 10) query.set("page", "0");
    },
  },
  {
    name: "orders changes newest first",
    list: "earnings",
    check: "deltas",
    response: inRecords((records, { query }) => (query.has("parameters[updated]") ? records.toReversed() : records)),
  },
  {
    name: "excludes records of the timestamp itself from changes",
    list: "earnings",
    check: "deltas",
    request: mapped("parameters[updated]", (value) => (/^\d+$/.test(value) ? String(Number(value) + 1) : value)),
  },
  {
    name: "lets another order win over that of changes",
    list: "earnings",
    check: "deltas",
    response: inRecords((records, { query }) =>
      query.has("parameters[updated]") && query.has("parameters[date_sort]")
        ? records.toSorted((a, b) => (a.date < b.date ? -1 : 1))
        : records,
    ),
  },
  {
    name: "compares yields only for equality",
    list: "dividends",
    check: "filters",
    request: without("parameters[dividend_yield_operation]"),
  },
  { name: "ignores the country", list: "economics", check: "filters", request: without("country") },
  { name: "ignores the selection of fields", list: "ratings", check: "views", request: without("fields") },
  { name: "doesn't simplify ratings", list: "ratings", check: "views", request: without("simplify") },
  {
    name: "accepts 51 tickers",
    list: "conference-calls",
    check: "limits",
    request: mapped("parameters[tickers]", (value) => value.split(",").slice(0, 50).join(",")),
  },
  {
    name: "ignores an invalid day",
    list: "conference-calls",
    check: "limits",
    request: ({ query }) => {
      if (!/^\d{4}-\d\d-\d\d$/.test(query.get("parameters[date_from]") ?? "")) query.delete("parameters[date_from]");
    },
  },
  {
    name: "reports only the first invalid parameter",
    list: "conference-calls",
    check: "errors",
    response: (response) => {
      if (response.status !== 400 || response.body === "") return;
      const problem = JSON.parse(response.body);
      response.body = JSON.stringify({ ...problem, errors: problem.errors.slice(0, 1) });
    },
  },
  {
    name: "rejects parameters that it doesn't know",
    list: "conference-calls",
    check: "spellings",
    response: (response, { query }) => {
      if (query.has("no_such_parameter")) Object.assign(response, { status: 400, body: "{}" });
    },
  },
];
