// History of a record: the figures of its series, or the distribution of its sources, each as chart and table.
import { useMemo, useState } from "preact/hooks";
import { recordsOf } from "../../api/client.ts";
import type { Listing } from "../../api/document.ts";
import { today } from "../../api/settings.ts";
import { useResponse } from "../../api/use-response.ts";
import { dayText, monthText } from "../../format/day.ts";
import { compact, decimal, figure, numberOf, signed, signedPercent, toneOf } from "../../format/number.ts";
import { labelOf, plural } from "../../format/words.ts";
import { ApiPanel } from "../api-panel.tsx";
import { Notice } from "../notice.tsx";
import { type Item, textOf } from "../table/column.tsx";
import { figureTone } from "../table/figure-tone.ts";
import { DistributionPlot, LinePlot } from "./plots.tsx";
import { countsOf, type Distribution, type Figure, type Point, pointsOf, type Series } from "./points.ts";
import { historyRequest } from "./request.ts";
import "./history.css";

export type HistoryProps = { readonly listing: Listing; readonly record: Item };

export default function History({ listing, record }: HistoryProps) {
  const { history, distribution } = listing.display;
  return (
    <>
      {history !== undefined && <SeriesHistory listing={listing} record={record} series={history} />}
      {distribution !== undefined && <DistributionHistory listing={listing} record={record} of={distribution} />}
    </>
  );
}

function useHistory({ listing, record }: HistoryProps, source: Series | Distribution) {
  const more = "grouping" in source ? { [source.grouping]: "true" } : {};
  const request = historyRequest(listing, source, record, more);
  const result = useResponse(request);
  const body = result.response?.body;
  const records = useMemo(() => recordsOf<Item>(body), [body]);
  const foot = (
    <>
      {result.failure !== undefined && <Notice failure={result.failure} refetch={result.refetch} />}
      {result.response === undefined && result.loading && <p class="faint">Loading…</p>}
      <details>
        <summary>API request</summary>
        <ApiPanel calls={[{ title: source.title, request }]} />
      </details>
    </>
  );
  return { records, isKnown: body !== undefined, foot };
}

function SeriesHistory({ listing, record, series }: HistoryProps & { readonly series: Series }) {
  const { records, isKnown, foot } = useHistory({ listing, record }, series);
  const [selected, select] = useState(0);
  const shown = series.figures[selected] ?? (series.figures[0] as Figure);
  const points = useMemo(() => pointsOf(series, shown, record, records), [records, shown, record]);
  return (
    <section class="history" aria-label={series.title}>
      <h3>
        {series.title} {isKnown && <span class="faint">{aboutPoints(points)}</span>}
      </h3>
      {series.figures.length > 1 && (
        <fieldset class="choices">
          <legend class="hidden">Figure</legend>
          {series.figures.map(({ label }, at) => (
            <button key={label} type="button" aria-pressed={at === selected} onClick={() => select(at)}>
              {label}
            </button>
          ))}
        </fieldset>
      )}
      {points.length > 1 && (
        <LinePlot
          label={`${shown.label} and what was expected, over time. The table below shows the numbers.`}
          points={points}
          names={[shown.label, labelOf(shown.expected)]}
          current={record.id}
        />
      )}
      {points.length > 0 && <SurpriseTable title={series.title} of={shown} points={points} current={record.id} />}
      {foot}
    </section>
  );
}

function aboutPoints(points: readonly Point[]): string {
  const tones = points.flatMap(({ value, expected }) => toneOf(value, expected) ?? []);
  const above = tones.filter((tone) => tone === "up").length;
  return tones.length === 0 ? "" : `above expectations ${above} of ${tones.length} times`;
}

const firstRows = 6;

type TableProps = {
  readonly title: string;
  readonly of: Figure;
  readonly points: readonly Point[];
  readonly current: unknown;
};

function SurpriseTable({ title, of, points, current }: TableProps) {
  const [all, setAll] = useState(false);
  const newestFirst = points.toReversed();
  const shown = all ? newestFirst : newestFirst.slice(0, firstRows);
  return (
    <>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable regions must be focusable */}
      <section class="history-rows" tabIndex={0} aria-label={`${title}, newest first`}>
        <table>
          <caption class="hidden">{title}, newest first</caption>
          <thead>
            <tr>
              <th scope="col">Date</th>
              <th scope="col">Period</th>
              <th scope="col" class="end">
                {of.label}
              </th>
              <th scope="col" class="end">
                {labelOf(of.expected)}
              </th>
              <th scope="col" class="end">
                Surprise
              </th>
            </tr>
          </thead>
          <tbody>
            {shown.map(({ record, day, period }) => (
              <tr key={String(record.id)} class={record.id === current ? "open" : ""}>
                <th scope="row">{dayText(day)}</th>
                <td>{period}</td>
                <td class="end">{textOfFigure(record, of.value)}</td>
                <td class="end">{textOfFigure(record, of.expected)}</td>
                <td class={`end ${figureTone(record, record[of.value], record[of.expected]) ?? ""}`}>
                  {surpriseOf(record, of)}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </section>
      {shown.length < points.length && (
        <button type="button" onClick={() => setAll(true)}>
          Show all {points.length}
        </button>
      )}
    </>
  );
}

/** As abbreviated by the source, which is in a field with the suffix `_t`. */
function textOfFigure(record: Item, field: string): string {
  const value = numberOf(record[field]);
  if (value === undefined) return "–";
  const short = record[`${field}_t`];
  if (short !== undefined) return figure(short, record[field]);
  return Math.abs(value) >= 1e5 ? compact(value) : decimal(record[field]);
}

/** With a sign, so that it doesn't depend on color. */
function surpriseOf(record: Item, { value, expected, surprise }: Figure): string {
  if (surprise !== undefined) return signedPercent(record[surprise], 1);
  const [now, then] = [numberOf(record[value]), numberOf(record[expected])];
  if (now === undefined || then === undefined) return "";
  // In the unit of the source.
  const [short, shortThen] = [value, expected].map((field) =>
    /^(-?[\d.]+)([KMBT])$/.exec(textOf(record[`${field}_t`])),
  );
  if (short && shortThen && short[2] === shortThen[2] && now !== then)
    return signed(Number(short[1]) - Number(shortThen[1]), digitsOf(short[1], shortThen[1]), short[2]);
  if (Math.abs(now - then) >= 1e5) return `${now > then ? "+" : ""}${compact(now - then)}`;
  return signed(now - then, digitsOf(record[value], record[expected]));
}

const digitsOf = (...values: readonly unknown[]): number =>
  Math.max(...values.map((each) => String(each).split(".")[1]?.length ?? 0));

function DistributionHistory({ listing, record, of }: HistoryProps & { readonly of: Distribution }) {
  const { records, isKnown, foot } = useHistory({ listing, record }, of);
  const counts = useMemo(() => countsOf(of, records, today()), [records]);
  const now = counts.at(-1)?.counts ?? [];
  const text = of.groups.map((group, at) => `${now[at] ?? 0} ${group}`).join(", ");
  return (
    <section class="history" aria-label={of.title}>
      <h3>
        {of.title} {isKnown && <span class="faint">{counts.length === 0 ? "none" : `now ${text}`}</span>}
      </h3>
      {counts.length > 1 && (
        <>
          <DistributionPlot
            label={`${of.title}: ${of.groups.join(", ")} by month. The table below shows the numbers.`}
            counts={counts}
            groups={of.groups}
          />
          <p class="history-legend faint" aria-hidden="true">
            {of.groups.map((group, at) => (
              <span key={group} class={`group-${at}`}>
                {group}
              </span>
            ))}
          </p>
          <CountsTable title={of.title} groups={of.groups} counts={counts} />
        </>
      )}
      {foot}
    </section>
  );
}

function CountsTable({
  title,
  groups,
  counts,
}: {
  readonly title: string;
  readonly groups: readonly string[];
  readonly counts: ReturnType<typeof countsOf>;
}) {
  return (
    <details>
      <summary>{plural(counts.length, "month")} as a table</summary>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable regions must be focusable */}
      <section class="history-rows" tabIndex={0} aria-label={`${title} by month`}>
        <table>
          <caption class="hidden">{title} by month, newest first</caption>
          <thead>
            <tr>
              <th scope="col">Month</th>
              {groups.map((group) => (
                <th key={group} scope="col" class="end">
                  {group}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {counts.toReversed().map((each) => (
              <tr key={each.day}>
                <th scope="row">{monthText(each.day.slice(0, 7))}</th>
                {each.counts.map((count, at) => (
                  <td key={groups[at]} class="end">
                    {count}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </details>
  );
}
