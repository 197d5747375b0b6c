// Earnings per share of a company compared with estimates, as chart and table.
import { recordsOf } from "../../api/client.ts";
import { timeText } from "../../api/time-zone.ts";
import { dayText } from "../../format/day.ts";
import { compact, decimal, numberOf, signedPercent, toneOf } from "../../format/number.ts";
import { domainOf } from "../../format/scale.ts";
import { ColumnPlot, type PlotColumn } from "../../parts/chart/column-plot.tsx";
import { Section } from "../../parts/section.tsx";
import { cardOf } from "../../parts/table/card.tsx";
import { type Column, type Item, textOf } from "../../parts/table/column.tsx";
import { Table } from "../../parts/table/table.tsx";
import { oldestFirst, periodText, shortPeriod } from "./periods.ts";
import type { SectionProps } from "./section-props.ts";

export function EarningsSection({ symbol, source, onOpen, openId }: SectionProps) {
  const records = recordsOf<Item>(source.result.response?.body);
  const plotted = oldestFirst(records).filter((record) => valuesOf(record).length > 0);
  const href = `/calendar/earnings?tickers=${encodeURIComponent(symbol)}`;
  const isEmpty = source.result.response !== undefined && records.length === 0;
  return (
    <Section
      name="earnings"
      title="Earnings per share"
      source={source}
      href={href}
      about={isEmpty ? "No earnings." : aboutEarnings(records)}
    >
      {plotted.length > 0 && (
        <>
          <ColumnPlot
            label={`Earnings per share of ${symbol} and estimates. The table below shows the numbers.`}
            domain={domainOf(plotted.flatMap(valuesOf))}
            print={(value) => decimal(value.toFixed(2))}
            columns={plotted.map(columnOf)}
            minWidth={46}
          />
          <p class="plot-legend faint" aria-hidden="true">
            <span class="legend-ring" /> estimate <span class="legend-dot up" /> above estimate{" "}
            <span class="legend-dot down" /> below estimate
          </p>
        </>
      )}
      {records.length > 0 && (
        <Table
          caption={`Earnings of ${symbol}, newest first`}
          columns={columns}
          optional={["revenue_est", "revenue"]}
          card={card}
          rows={records}
          idOf={({ id }) => String(id)}
          nameOf={({ period, period_year }) => `earnings for ${periodText(period, period_year)}`}
          onOpen={onOpen}
          openId={openId}
        />
      )}
    </Section>
  );
}

const valuesOf = ({ eps, eps_est }: Item): number[] =>
  [numberOf(eps), numberOf(eps_est)].filter((value) => value !== undefined);

function aboutEarnings(records: readonly Item[]): string {
  const reported = records.filter(({ eps, eps_est }) => numberOf(eps) !== undefined && numberOf(eps_est) !== undefined);
  if (reported.length === 0) return "";
  const beats = reported.filter(({ eps, eps_est }) => toneOf(eps, eps_est) === "up").length;
  return `beat the estimate ${beats} of ${reported.length} times`;
}

function columnOf(record: Item): PlotColumn {
  const { id, period, period_year, date, eps, eps_est, eps_surprise_percent } = record;
  const tone = toneOf(eps, eps_est);
  const [actual, estimate] = [numberOf(eps), numberOf(eps_est)];
  return {
    id: textOf(id),
    labels: [
      { text: shortPeriod(period, period_year) || textOf(date).slice(0, 7) },
      { text: actual === undefined ? "" : signedPercent(eps_surprise_percent, 1), tone },
    ],
    draw: (x, _, y) => (
      <>
        {estimate !== undefined && <circle class="plot-ring" cx={x} cy={y(estimate)} r={5} />}
        {actual !== undefined && <circle class={`plot-dot ${tone ?? ""}`} cx={x} cy={y(actual)} r={5} />}
      </>
    ),
  };
}

const columns: readonly Column[] = [
  {
    name: "period",
    ...{ label: "Period", width: 8 },
    show: ({ period, period_year, date }) => periodText(period, period_year) || dayText(textOf(date)),
  },
  {
    name: "date",
    ...{ label: "Reported", width: 20, grow: true },
    doc: "Date of the report; a question mark if not confirmed",
    show: ({ date, date_confirmed, time }) => (
      <>
        {dayText(textOf(date))}
        {date_confirmed === 0 ? " ?" : ""} <span class="faint">{timeText(date, time)}</span>
      </>
    ),
  },
  {
    name: "eps",
    label: "EPS",
    ...{ align: "end", width: 9, arrow: true },
    show: ({ eps }) => decimal(eps),
    tone: ({ eps, eps_est }) => toneOf(eps, eps_est),
  },
  { name: "eps_est", label: "EPS est.", align: "end", width: 9, show: ({ eps_est }) => decimal(eps_est) },
  {
    name: "surprise",
    label: "Surprise",
    ...{ align: "end", width: 8 },
    show: ({ eps_surprise_percent }) => signedPercent(eps_surprise_percent, 1),
    tone: ({ eps_surprise_percent }) => toneOf(eps_surprise_percent, 0),
  },
  {
    name: "revenue",
    label: "Revenue",
    ...{ align: "end", width: 9, arrow: true },
    show: ({ revenue }) => compact(revenue),
    tone: ({ revenue, revenue_est }) => toneOf(revenue, revenue_est),
  },
  {
    name: "revenue_est",
    label: "Rev. est.",
    align: "end",
    width: 9,
    show: ({ revenue_est }) => compact(revenue_est),
  },
];

const card = cardOf(columns, { title: ["period"], when: ["date"], values: ["eps", "eps_est", "surprise", "revenue"] });
