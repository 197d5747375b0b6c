// Everything about one company on a page.
import { recordsOf } from "../../api/client.ts";
import { type ApiDocument, useDocument } from "../../api/document.ts";
import { type ApiRequest, get } from "../../api/request.ts";
import { today as dayNow } from "../../api/settings.ts";
import { navigate } from "../../app/location.ts";
import type { ViewProps } from "../../app/routes.ts";
import { Frame } from "../../parts/frame.tsx";
import { callOf, type Part, usePart } from "../../parts/part.ts";
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
  // A list of symbols would be a list of companies.
  if (symbol === "" || symbol.includes(",")) return <NoTicker given={symbol} />;
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

function Company({ symbol }: { readonly symbol: string }) {
  const document = useDocument();
  const today = dayNow();
  const ratings = usePart("Ratings", requestOf(document, "ratings", symbol, "1000"));
  const earnings = usePart("Earnings", requestOf(document, "earnings", symbol, "100"));
  const dividends = usePart("Dividends", requestOf(document, "dividends", symbol, "100"));
  const guidance = usePart("Guidance", requestOf(document, "guidance", symbol, "100"));
  const calls = usePart("Conference calls", requestOf(document, "conference-calls", symbol, "20"));
  const news = usePart("News", requestOf(document, "news", symbol, "50"));
  const parts: Readonly<Record<string, Part>> = {
    ratings,
    earnings,
    dividends,
    guidance,
    "conference-calls": calls,
    news,
  };
  const all = Object.values(parts);
  const shown = (name: string): readonly Item[] => recordsOf<Item>(parts[name]?.asked.answer?.body);
  const { aside, open, openId } = useOpenRecord(document, shown);
  const records = all.slice(0, -1).flatMap(({ asked }) => recordsOf<Item>(asked.answer?.body));
  const isEmpty = all.every(({ asked }) => asked.answer !== undefined && recordsOf(asked.answer.body).length === 0);
  const events = nextEvents(
    { earnings: shown("earnings"), calls: shown("conference-calls"), dividends: shown("dividends") },
    today,
  );
  const section = (name: string, part: Part) => ({
    symbol,
    part,
    openId,
    onOpen: (record: Item) => open(name, record),
  });
  return (
    <Frame title={symbol} about={<About records={records} />} calls={all.flatMap(callOf)} aside={aside}>
      {isEmpty ? (
        <p class="empty">
          Nothing is known of <strong>{symbol}</strong> here: no rating, report, dividend, guidance, call or news.
        </p>
      ) : (
        <div class="company-room">
          <div class="company">
            <NextStrip events={events} today={today} onOpen={open} />
            <TargetSection {...section("ratings", ratings)} today={today} />
            <EarningsSection {...section("earnings", earnings)} />
            <DividendSection {...section("dividends", dividends)} />
            <GuidanceSection {...section("guidance", guidance)} earnings={earnings} />
            <TickerNews symbol={symbol} part={news} />
          </div>
        </div>
      )}
    </Frame>
  );
}

/** Name and listing, as the newest record that has them says. */
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

function NoTicker({ given }: { readonly given: string }) {
  return (
    <Frame title="A company" calls={[]}>
      <form
        class="ticker-form"
        onSubmit={(event) => {
          event.preventDefault();
          const symbol = new FormData(event.currentTarget).get("symbol");
          if (typeof symbol === "string" && symbol.trim() !== "")
            navigate(`/ticker/${encodeURIComponent(symbol.trim().toUpperCase())}`);
        }}
      >
        {given !== "" && (
          <p class="mistake" role="alert">
            <code>{given}</code> is not one ticker symbol.
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
