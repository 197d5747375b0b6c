// What the types of `bellwire/client` accept and reject: checked by `tsc`, never run.
import { type Bellwire, BellwireError, type ProblemCode } from "../../client/index.ts";

export async function accepted(api: Bellwire): Promise<void> {
  for await (const rating of api.ratings.list({ tickers: ["AAPL"], importance: 3, dateFrom: "2026-01-01" }))
    rating.rating_current satisfies string;
  const page = await api.news.page({ topics: ["merger"], displayOutput: "abstract", updatedSince: new Date() });
  page.records[0]?.stocks[0]?.name satisfies string | undefined;
  page.next satisfies Parameters<typeof api.news.page>[0];
  await api.news.page(page.next);
  for await (const change of api.earnings.follow({ tickers: "F" }, { since: page.position }))
    change.record?.eps satisfies string | undefined;
  await api.dividends.page({ "parameters[dividend_yield]": "0.05", dividend_yield_operation: "gte", pagesize: 5 });
  await api.conferenceCalls.first({ date_from: "2026-01-01" });
  const selected = await api.ratings.first({ fields: ["ticker", "pt_pct_change"] });
  selected?.pt_pct_change satisfies string | undefined;
  const full = await api.ratings.first({ fields: ["*"] });
  full?.ratings_accuracy satisfies object | undefined;
  (await api.news.get(7, { displayOutput: "full" }))?.body satisfies string | undefined;
  const { code } = new BellwireError("");
  if (code === "limit.rate") code satisfies ProblemCode | (string & {});
}

export async function rejected(api: Bellwire): Promise<void> {
  // @ts-expect-error no such list
  api.options;
  // @ts-expect-error a misspelled parameter
  api.ratings.list({ tickers: ["AAPL"], importence: 3 });
  // @ts-expect-error beyond the range
  api.ratings.list({ importance: 6 });
  // @ts-expect-error economics are rated from 1 to 3
  api.economics.list({ importance: 0 });
  // @ts-expect-error an unknown action
  api.ratings.page({ action: "Upgraded" });
  // @ts-expect-error a parameter of another list
  api.news.page({ dividendYield: 1 });
  // @ts-expect-error a day is text
  api.ratings.page({ dateFrom: new Date() });
  // @ts-expect-error not a form of news
  api.news.page({ displayOutput: "everything" });
  // @ts-expect-error no list of numbers
  api.news.page({ tickers: [1] });
  // @ts-expect-error a stream has no pages
  api.news.follow({ pageSize: 10 });
  // @ts-expect-error and no order
  api.news.follow({ sort: "id:asc" });
  // @ts-expect-error removed records have no stream
  api.newsRemoved.follow();
  // @ts-expect-error news has no selection of fields
  api.news.page({ fields: ["id"] });
  // @ts-expect-error identifiers of news are numbers
  api.news.get("7");
  // @ts-expect-error an unknown field
  api.ratings.page({ fields: ["price"] });
  // @ts-expect-error a field that was not selected
  (await api.ratings.first({ fields: ["ticker"] }))?.pt_current;
  // @ts-expect-error an unknown field of a record
  (await api.earnings.first())?.estimate;
  // @ts-expect-error decimals are text
  (await api.earnings.first())?.eps satisfies number;
  // @ts-expect-error the track record is only in a response with all fields
  (await api.ratings.first())?.ratings_accuracy.smart_score;
}
