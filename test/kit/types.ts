// What the types of `bellwire/testing` accept and reject: checked by `tsc`, never run.
import { conferenceCall, newsItem, type Rating, rating, startBellwire } from "../../testing/index.ts";

export async function accepted(): Promise<void> {
  await using server = await startBellwire({ clock: new Date(), seed: 3, faults: [{ cut: true }] });
  rating({ ticker: "AAPL" }) satisfies Rating;
  await server.put({ ratings: [rating(), { id: "a", date: "2026-01-15" }], conferenceCalls: [conferenceCall()] });
  await server.put({ news: [newsItem({ created: new Date(), stocks: [{ name: "F", primary: true }] })] });
  await server.remove({ news: [7], ratings: ["a"] });
  await server.clock.set(1_768_478_400, { running: true });
  server.requests.at(-1)?.status satisfies number | undefined;
}

export async function rejected(): Promise<void> {
  // @ts-expect-error a misspelled field
  rating({ tikcer: "AAPL" });
  // @ts-expect-error not an action
  rating({ action_company: "Upgraded" });
  // @ts-expect-error importance is a number
  rating({ importance: "3" });
  // @ts-expect-error identifiers of news are numbers
  newsItem({ id: "7" });
  // @ts-expect-error a stock needs a name
  newsItem({ stocks: [{ isin: "US3078331034" }] });
  // @ts-expect-error no such list
  await startBellwire({ records: { options: [] } });
  // @ts-expect-error a record of another list
  await startBellwire({ records: { ratings: [newsItem()] } });
  // @ts-expect-error a record needs a date
  await startBellwire({ records: { ratings: [{ id: "a" }] } });
  // @ts-expect-error a status is a number
  await startBellwire({ faults: [{ status: "503" }] });
}
