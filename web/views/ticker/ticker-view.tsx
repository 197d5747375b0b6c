// Ticker view: everything about one company.
import { recordsOf } from "../../api/client.ts";
import { type ApiDocument, useDocument } from "../../api/document.ts";
import { type ApiRequest, get } from "../../api/request.ts";
import { today as dayNow } from "../../api/settings.ts";
import { timeText } from "../../api/time-zone.ts";
import { toggleTicker, watchlist } from "../../api/watchlist.ts";
import { navigate } from "../../app/location.ts";
import type { ViewProps } from "../../app/routes.ts";
import { useSignal } from "../../app/signal.ts";
import { callOf, type DataSource, isSettled, useDataSource } from "../../parts/data-source.ts";
import { Frame } from "../../parts/frame.tsx";
import { useOpenRecord } from "../../parts/record/open-record.tsx";
import { type Item, textOf } from "../../parts/table/column.tsx";
import { DividendSection } from "./dividend-section.tsx";
import { EarningsSection } from "./earnings-section.tsx";
import { GuidanceSection } from "./guidance-section.tsx";
import { nextEvents } from "./next-events.ts";
import { NextStrip } from "./next-strip.tsx";
import { TargetSection } from "./targets/target-section.tsx";
import { TickerNews } from "./ticker-news.tsx";
import "./ticker.css";

export function TickerView({ segments }: ViewProps) {
  const symbol = (segments.symbol ?? "").trim().toUpperCase();
  // A list of symbols would return several companies.
  if (symbol === "" || symbol.includes(",")) return <NoTicker input={symbol} />;
  return <Company key={symbol} symbol={symbol} />;
}

function requestOf(
  document: ApiDocument | undefined,
  name: string,
  symbol: string,
  size: string,
): ApiRequest | undefined {
  const listing = document?.listings.find((each) => each.name === name);
  const parameter = listing?.parameters.find(({ short }) => short === "tickers")?.name;
  if (listing === undefined || parameter === undefined) return undefined;
  return get(listing.path, [
    [parameter, symbol],
    [listing.size, size],
  ]);
}

/** By name of the resource. */
function useSources(symbol: string) {
  const document = useDocument();
  const source = (title: string, name: string, size: string): DataSource =>
    useDataSource(title, requestOf(document, name, symbol, size));
  return {
    ratings: source("Ratings", "ratings", "1000"),
    earnings: source("Earnings", "earnings", "100"),
    dividends: source("Dividends", "dividends", "100"),
    guidance: source("Guidance", "guidance", "100"),
    "conference-calls": source("Conference calls", "conference-calls", "20"),
    news: source("News", "news", "50"),
  };
}

function Company({ symbol }: { readonly symbol: string }) {
  const document = useDocument();
  const today = dayNow();
  const sources = useSources(symbol);
  const { ratings, earnings, dividends, guidance, "conference-calls": calls, news } = sources;
  const all = Object.values(sources);
  const shown = (name: string): readonly Item[] =>
    recordsOf<Item>((sources as Readonly<Record<string, DataSource>>)[name]?.result.response?.body);
  const { aside, open, openId } = useOpenRecord(document, shown);
  const records = all.slice(0, -1).flatMap(({ result }) => recordsOf<Item>(result.response?.body));
  const isEmpty = all.every(
    ({ result }) => result.response !== undefined && recordsOf(result.response.body).length === 0,
  );
  const events = nextEvents(
    { earnings: shown("earnings"), calls: shown("conference-calls"), dividends: shown("dividends") },
    today,
    timeText,
  );
  // A section appears once those above it are complete, so that nothing moves.
  const isStripReady = isSettled(earnings, dividends, calls);
  const isTargetReady = isStripReady && isSettled(ratings);
  const section = (name: string, source: DataSource) => ({
    symbol,
    source,
    openId,
    onOpen: (record: Item) => open(name, record),
  });
  return (
    <Frame
      title={symbol}
      about={<About records={records} />}
      actions={<Watch symbol={symbol} />}
      calls={all.flatMap(callOf)}
      aside={aside}
    >
      {isEmpty ? (
        <p class="empty">
          No data for <strong>{symbol}</strong>: no ratings, earnings, dividends, guidance, calls, or news.
        </p>
      ) : (
        <div class="company-container">
          <div class="company">
            {isStripReady && <NextStrip events={events} today={today} onOpen={open} />}
            {isStripReady && <TargetSection {...section("ratings", ratings)} today={today} />}
            {isTargetReady && <EarningsSection {...section("earnings", earnings)} />}
            {isTargetReady && <DividendSection {...section("dividends", dividends)} />}
            {isTargetReady && <GuidanceSection {...section("guidance", guidance)} earnings={earnings} />}
            {isTargetReady && isSettled(guidance) && <TickerNews symbol={symbol} source={news} />}
          </div>
        </div>
      )}
    </Frame>
  );
}

/** Name, exchange, and currency from the newest record that has them. */
function About({ records }: { readonly records: readonly Item[] }) {
  const [name, exchange, currency] = (["name", "exchange", "currency"] as const).map((field) =>
    textOf(records.find((record) => textOf(record[field]) !== "")?.[field]),
  );
  return (
    <>
      <span class="company-name">{name}</span> {[exchange, currency].filter((each) => each !== "").join(" · ")}
    </>
  );
}

function Watch({ symbol }: { readonly symbol: string }) {
  const isWatched = useSignal(watchlist).includes(symbol);
  return (
    <button type="button" aria-pressed={isWatched} onClick={() => toggleTicker(symbol)}>
      {isWatched ? "★ In my tickers" : "☆ Add to my tickers"}
    </button>
  );
}

function NoTicker({ input }: { readonly input: string }) {
  return (
    <Frame title="Company" calls={[]}>
      <form
        class="ticker-form"
        onSubmit={(event) => {
          event.preventDefault();
          const symbol = new FormData(event.currentTarget).get("symbol");
          if (typeof symbol === "string" && symbol.trim() !== "")
            navigate(`/ticker/${encodeURIComponent(symbol.trim().toUpperCase())}`);
        }}
      >
        {input !== "" && (
          <p class="field-error" role="alert">
            Enter a single ticker symbol instead of <code>{input}</code>.
          </p>
        )}
        <label class="field" for="symbol">
          <span>Ticker symbol</span>
          <input id="symbol" name="symbol" autocomplete="off" spellcheck={false} placeholder="AAPL" />
        </label>
        <button type="submit" class="primary">
          Show
        </button>
      </form>
    </Frame>
  );
}
