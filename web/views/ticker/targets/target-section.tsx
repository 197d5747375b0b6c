// Analyst ratings of a company: chart of price targets, current ratings by firm, and all changes.
import type { ComponentType } from "preact";
import { useEffect, useMemo, useState } from "preact/hooks";
import { recordsOf } from "../../../api/client.ts";
import { useListing } from "../../../api/document.ts";
import { changeQuery, hrefWith, useLocation } from "../../../app/location.ts";
import { addDays, dayText } from "../../../format/day.ts";
import { decimal } from "../../../format/number.ts";
import { plural } from "../../../format/words.ts";
import type { DataSource } from "../../../parts/data-source.ts";
import { LazyHistory } from "../../../parts/history/lazy-history.tsx";
import { Section } from "../../../parts/section.tsx";
import { ExternalLink, type Item } from "../../../parts/table/column.tsx";
import { Table } from "../../../parts/table/table.tsx";
import { FirmTable } from "./firm-table.tsx";
import { changeCard, changeColumns } from "./rating-columns.tsx";
import type { Hover, TargetChart } from "./target-chart.tsx";
import { chartDataOf, type Firm, firmsOf, ratingsOf, targetLifetimeDays } from "./targets.ts";

type Props = {
  readonly symbol: string;
  readonly today: string;
  readonly source: DataSource;
  readonly onOpen: (record: Item) => void;
  readonly openId: string | undefined;
};

/** Visible years. */
const spans = [
  ["1", "1 year"],
  ["2", "2 years"],
  ["all", "All"],
] as const;
const defaultSpan = "2";

export function TargetSection({ symbol, today, source, onOpen, openId }: Props) {
  const { query } = useLocation();
  const ratingsListing = useListing("ratings");
  const { body } = source.result.response ?? {};
  const records = useMemo(() => recordsOf<Item>(body), [body]);
  const ratings = useMemo(() => ratingsOf(records), [records]);
  const firms = useMemo(() => firmsOf(ratings, today), [ratings, today]);
  const selected = firms.find(({ firm }) => firm === query.get("firm"));
  const span = query.get("span") ?? defaultSpan;
  const select = (firm: string) => changeQuery({ firm: firm === selected?.firm ? undefined : firm }, { replace: true });
  const href = `/calendar/ratings?tickers=${encodeURIComponent(symbol)}`;
  if (source.result.response !== undefined && records.length === 0)
    return <Section name="targets" title="Analysts" source={source} href={href} about="No ratings." />;
  const hasChart = firms.some(({ activeTargets }) => activeTargets.length > 0);
  return (
    <Section
      name="targets"
      title="Analysts"
      source={source}
      href={href}
      about={aboutTargets(firms)}
      actions={hasChart && <Spans span={span} />}
    >
      <div class="targets-now">
        {hasChart && (
          <TargetChartPanel
            symbol={symbol}
            today={today}
            firms={firms}
            span={span}
            selected={selected}
            onSelect={select}
          />
        )}
        <FirmTable firms={firms} selected={selected?.firm} onSelect={select} />
      </div>
      {ratingsListing !== undefined && <LazyHistory listing={ratingsListing} record={{ ticker: symbol }} />}
      <Changes
        symbol={symbol}
        records={records}
        selected={selected}
        onOpen={onOpen}
        openId={openId}
        older={source.result.response?.next === undefined ? undefined : href}
      />
    </Section>
  );
}

type ChangesProps = Pick<Props, "symbol" | "onOpen" | "openId"> & {
  readonly records: readonly Item[];
  readonly selected: Firm | undefined;
  /** Where older ratings are, if there are any. */
  readonly older: string | undefined;
};

function Changes({ symbol, records, selected, onOpen, openId, older }: ChangesProps) {
  const shown = records.filter(
    (record) => selected === undefined || selected.ratings.some((rating) => rating.record === record),
  );
  return (
    <div class="targets-changes">
      <h3>
        {selected === undefined ? "All changes" : selected.name}{" "}
        <span class="faint">{plural(shown.length, "rating")}</span>{" "}
        {selected !== undefined && (
          <a class="button" href={hrefWith({ firm: undefined })}>
            All firms
          </a>
        )}
      </h3>
      <Table
        caption={`Ratings and price targets for ${symbol}, newest first`}
        columns={changeColumns}
        optional={["analyst_name"]}
        card={changeCard}
        rows={shown}
        idOf={({ id }) => String(id)}
        nameOf={({ analyst, date }) => `${analyst}, ${date}`}
        onOpen={onOpen}
        openId={openId}
        keys
        {...(older === undefined ? {} : { footer: <a href={older}>See older ratings in the calendar</a> })}
      />
    </div>
  );
}

const targetsNow = (firms: readonly Firm[]): number[] =>
  firms.flatMap(({ target }) => (target === undefined ? [] : [target]));

const fixed = (value: number): string => decimal(value.toFixed(2));

function aboutTargets(firms: readonly Firm[]): string {
  const targets = targetsNow(firms);
  if (targets.length === 0) return "No current price targets.";
  const mean = targets.reduce((sum, each) => sum + each, 0) / targets.length;
  return targets.length === 1
    ? `target ${fixed(mean)} from one firm`
    : `mean target ${fixed(mean)} from ${targets.length} firms, range ${fixed(Math.min(...targets))} to ${fixed(Math.max(...targets))}`;
}

function Spans({ span }: { readonly span: string }) {
  return (
    <fieldset class="choices">
      <legend class="hidden">Time range</legend>
      {spans.map(([value, text]) => (
        <button
          key={value}
          type="button"
          aria-pressed={span === value}
          onClick={() => changeQuery({ span: value === defaultSpan ? undefined : value }, { replace: true })}
        >
          {text}
        </button>
      ))}
    </fieldset>
  );
}

type ChartPanelProps = {
  readonly symbol: string;
  readonly today: string;
  readonly firms: readonly Firm[];
  readonly span: string;
  readonly selected: Firm | undefined;
  readonly onSelect: (firm: string) => void;
};

/** The chart, once its library is loaded, with the value at the pointer above it. */
function TargetChartPanel({ symbol, today, firms, span, selected, onSelect }: ChartPanelProps) {
  const Chart = useChart();
  const [hover, setHover] = useState<Hover>();
  const data = useMemo(() => chartDataOf(firms, today), [firms, today]);
  const first = firms.flatMap(({ activeTargets }) => activeTargets[0]?.from ?? []).sort()[0] ?? today;
  const begin = span === "all" ? first : addDays(today, -365 * Number(span));
  const at = firms.find(({ firm }) => firm === hover?.firm);
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the table of firms is the keyboard alternative
    // biome-ignore lint/a11y/useKeyWithClickEvents: the table of firms is the keyboard alternative
    <div class="target-panel" onClick={() => at !== undefined && onSelect(at.firm)}>
      <p class="target-hover" aria-hidden="true">
        {hover === undefined ? (
          <>
            <span class="legend-mean" /> mean <span>▲ raised</span> <span>▼ lowered</span>{" "}
            <span>● unchanged or new</span>
          </>
        ) : (
          hoverText(hover, at ?? selected)
        )}
      </p>
      {Chart === undefined ? (
        <div class="target-chart" />
      ) : (
        <Chart
          label={`Price targets for ${symbol} since ${dayText(first)}: ${aboutTargets(firms)}. The table below lists all changes.`}
          data={data}
          from={begin}
          selected={at?.firm ?? selected?.firm}
          onHover={setHover}
        />
      )}
      <p class="target-credit faint">
        Targets expire {targetLifetimeDays} days after the firm’s last rating. Chart by{" "}
        <ExternalLink href="https://www.tradingview.com/">TradingView Lightweight Charts™</ExternalLink>
      </p>
    </div>
  );
}

function hoverText({ day }: Hover, firm: Firm | undefined): string {
  const targets = firm?.activeTargets.find(({ from, to }) => from <= day && day < to);
  return [dayText(day), firm?.name ?? "", targets === undefined ? "" : fixed(targets.value)]
    .filter((each) => each !== "")
    .join(" · ");
}

type Chart = ComponentType<Parameters<typeof TargetChart>[0]>;

function useChart(): Chart | undefined {
  const [loaded, setLoaded] = useState<{ readonly chart: Chart }>();
  useEffect(() => {
    let isWanted = true;
    void import("./target-chart.tsx").then(
      ({ TargetChart }) => isWanted && setLoaded({ chart: TargetChart }),
      // Without the chart, the tables show the same data.
      () => {},
    );
    return () => {
      isWanted = false;
    };
  }, []);
  return loaded?.chart;
}
