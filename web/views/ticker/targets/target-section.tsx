// What analysts say of a company: their targets as a picture, where each firm stands, and every change as a table.
import type { ComponentType } from "preact";
import { useEffect, useMemo, useState } from "preact/hooks";
import { recordsOf } from "../../../api/client.ts";
import { changeQuery, hrefWith, usePlace } from "../../../app/location.ts";
import { addDays, dayText } from "../../../format/day.ts";
import { decimal } from "../../../format/number.ts";
import { plural } from "../../../format/words.ts";
import type { Part } from "../../../parts/part.ts";
import { Section } from "../../../parts/section.tsx";
import { type Item, Outside } from "../../../parts/table/column.tsx";
import { Table } from "../../../parts/table/table.tsx";
import { FirmTable } from "./firm-table.tsx";
import { changeColumns } from "./rating-columns.tsx";
import type { Pointed, TargetChart } from "./target-chart.tsx";
import { drawingOf, type Firm, firmsOf, standsFor, wordsOf } from "./targets.ts";

type Props = {
  readonly symbol: string;
  readonly today: string;
  readonly part: Part;
  readonly onOpen: (record: Item) => void;
  readonly openId: string | undefined;
};

/** Years in sight. */
const spans = [
  ["1", "1 year"],
  ["2", "2 years"],
  ["all", "All"],
] as const;
const usualSpan = "2";

export function TargetSection({ symbol, today, part, onOpen, openId }: Props) {
  const { query } = usePlace();
  const { body } = part.asked.answer ?? {};
  const records = useMemo(() => recordsOf<Item>(body), [body]);
  const words = useMemo(() => wordsOf(records), [records]);
  const firms = useMemo(() => firmsOf(words, today), [words, today]);
  const chosen = firms.find(({ firm }) => firm === query.get("firm"));
  const span = query.get("span") ?? usualSpan;
  const choose = (firm: string) => changeQuery({ firm: firm === chosen?.firm ? undefined : firm }, { replace: true });
  const href = `/calendar/ratings?tickers=${encodeURIComponent(symbol)}`;
  if (part.asked.answer !== undefined && records.length === 0)
    return <Section name="targets" title="Analysts" part={part} href={href} about="No ratings." />;
  const isDrawn = firms.some(({ standings }) => standings.length > 0);
  const shown = records.filter((record) => chosen === undefined || chosen.words.some((word) => word.record === record));
  return (
    <Section
      name="targets"
      title="Analysts"
      part={part}
      href={href}
      about={aboutTargets(firms)}
      actions={isDrawn && <Spans span={span} />}
    >
      <div class="targets-now">
        {isDrawn && (
          <Picture symbol={symbol} today={today} firms={firms} span={span} chosen={chosen} onChoose={choose} />
        )}
        <FirmTable firms={firms} chosen={chosen?.firm} onChoose={choose} />
      </div>
      <div class="targets-changes">
        <h3>
          {chosen === undefined ? "Every change" : chosen.name}{" "}
          <span class="faint">{plural(shown.length, "rating")}</span>{" "}
          {chosen !== undefined && (
            <a class="button" href={hrefWith({ firm: undefined })}>
              All firms
            </a>
          )}
        </h3>
        <Table
          caption={`Ratings and price targets of ${symbol}, newest first`}
          columns={changeColumns}
          rows={shown}
          idOf={({ id }) => String(id)}
          nameOf={({ analyst, date }) => `${analyst}, ${date}`}
          onOpen={onOpen}
          openId={openId}
          keys
          {...(part.asked.answer?.next === undefined
            ? {}
            : { foot: <a href={href}>Older ratings are in the calendar.</a> })}
        />
      </div>
    </Section>
  );
}

const targetsNow = (firms: readonly Firm[]): number[] =>
  firms.flatMap(({ target }) => (target === undefined ? [] : [target]));

const fixed = (value: number): string => decimal(value.toFixed(2));

function aboutTargets(firms: readonly Firm[]): string {
  const targets = targetsNow(firms);
  if (targets.length === 0) return "No price target stands.";
  const mean = targets.reduce((sum, each) => sum + each, 0) / targets.length;
  return targets.length === 1
    ? `target ${fixed(mean)}, of one firm`
    : `mean target ${fixed(mean)} of ${targets.length} firms, from ${fixed(Math.min(...targets))} to ${fixed(Math.max(...targets))}`;
}

function Spans({ span }: { readonly span: string }) {
  return (
    <fieldset class="choices">
      <legend class="hidden">Time in sight</legend>
      {spans.map(([value, text]) => (
        <button
          key={value}
          type="button"
          aria-pressed={span === value}
          onClick={() => changeQuery({ span: value === usualSpan ? undefined : value }, { replace: true })}
        >
          {text}
        </button>
      ))}
    </fieldset>
  );
}

type PictureProps = {
  readonly symbol: string;
  readonly today: string;
  readonly firms: readonly Firm[];
  readonly span: string;
  readonly chosen: Firm | undefined;
  readonly onChoose: (firm: string) => void;
};

/** The picture, once what draws it is loaded. What the pointer is at stands above it. */
function Picture({ symbol, today, firms, span, chosen, onChoose }: PictureProps) {
  const Chart = useChart();
  const [pointed, setPointed] = useState<Pointed>();
  const drawing = useMemo(() => drawingOf(firms, today), [firms, today]);
  const first = firms.flatMap(({ standings }) => standings[0]?.from ?? []).sort()[0] ?? today;
  const begin = span === "all" ? first : addDays(today, -365 * Number(span));
  const at = firms.find(({ firm }) => firm === pointed?.firm);
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the table of firms does the same by keyboard
    // biome-ignore lint/a11y/useKeyWithClickEvents: the table of firms does the same by keyboard
    <div class="target-picture" onClick={() => at !== undefined && onChoose(at.firm)}>
      <p class="target-pointed" aria-hidden="true">
        {pointed === undefined ? (
          <>
            <span class="legend-mean" /> mean <span>▲ raised</span> <span>▼ lowered</span>{" "}
            <span>● as before or first</span>
          </>
        ) : (
          pointedText(pointed, at ?? chosen)
        )}
      </p>
      {Chart === undefined ? (
        <div class="target-chart" />
      ) : (
        <Chart
          label={`Price targets of ${symbol} since ${dayText(first)}: ${aboutTargets(firms)}. The table below lists every change.`}
          drawing={drawing}
          from={begin}
          chosen={at?.firm ?? chosen?.firm}
          onPoint={setPointed}
        />
      )}
      <p class="target-credit faint">
        A target counts for {standsFor} days after the firm’s last word. Chart by{" "}
        <Outside href="https://www.tradingview.com/">TradingView Lightweight Charts™</Outside>
      </p>
    </div>
  );
}

function pointedText({ day }: Pointed, firm: Firm | undefined): string {
  const targets = firm?.standings.find(({ from, to }) => from <= day && day < to);
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
      // Without the picture the tables say the same.
      () => {},
    );
    return () => {
      isWanted = false;
    };
  }, []);
  return loaded?.chart;
}
