// Guidance of a company compared with results: each range on its period's scale, with the estimate at the time.
import { recordsOf } from "../../api/client.ts";
import { dayText } from "../../format/day.ts";
import { compact, decimal } from "../../format/number.ts";
import { rangeText, rangeTone } from "../../format/range.ts";
import { scaleTo } from "../../format/scale.ts";
import type { DataSource } from "../../parts/data-source.ts";
import { Section } from "../../parts/section.tsx";
import { type Card, cardOf } from "../../parts/table/card.tsx";
import { type Column, type Item, textOf } from "../../parts/table/column.tsx";
import { Table } from "../../parts/table/table.tsx";
import { type GuidanceRow, guidanceRows } from "./guidance-rows.ts";
import type { SectionProps } from "./section-props.ts";

type Props = SectionProps & { readonly earnings: DataSource };

export function GuidanceSection({ symbol, source, earnings, onOpen, openId }: Props) {
  const records = recordsOf<Item>(source.result.response?.body);
  const rows = guidanceRows(records, recordsOf<Item>(earnings.result.response?.body));
  const isEmpty = source.result.response !== undefined && rows.length === 0;
  return (
    <Section
      name="guidance"
      title="Guidance"
      source={source}
      href={`/calendar/guidance?tickers=${encodeURIComponent(symbol)}`}
      about={isEmpty ? "No guidance." : aboutGuidance(rows)}
    >
      {rows.length > 0 && (
        <>
          <p class="plot-legend faint" aria-hidden="true">
            <span class="legend-range" /> guidance <span class="legend-tick" /> estimate at the time{" "}
            <span class="legend-dot up" /> result above <span class="legend-dot" /> within{" "}
            <span class="legend-dot down" /> below
          </p>
          <Table
            caption={`Guidance and results of ${symbol}, newest first`}
            columns={columns}
            optional={["picture", "verdict"]}
            card={card}
            rows={rows}
            idOf={({ id }) => id}
            nameOf={({ period, record }) => `guidance from ${dayText(textOf(record.date))} for ${period}`}
            startsGroup={(row, before) => before !== undefined && row.period !== before.period}
            onOpen={({ record }) => onOpen(record)}
            openId={rows.find(({ record }) => textOf(record.id) === openId)?.id}
          />
        </>
      )}
    </Section>
  );
}

function aboutGuidance(rows: readonly GuidanceRow[]): string {
  const judged = rows.filter(({ verdict }) => verdict !== undefined);
  if (judged.length === 0) return "";
  const count = (verdict: string) => judged.filter((row) => row.verdict === verdict).length;
  return `results: ${count("above")} above, ${count("within")} within, ${count("below")} below range`;
}

const print = ({ measure }: GuidanceRow, value: unknown): string =>
  measure === "eps" ? decimal(value) : compact(value);
const tones = { above: "up", below: "down", within: undefined } as const;
const toneOfVerdict = ({ verdict }: GuidanceRow) => (verdict === undefined ? undefined : tones[verdict]);

const columns: readonly Column<GuidanceRow>[] = [
  {
    name: "period",
    ...{ label: "Period", width: 15, grow: true },
    show: ({ period, measure }) => (
      <>
        {period} <span class="faint">{measure === "eps" ? "EPS" : "revenue"}</span>
      </>
    ),
  },
  { name: "date", label: "Issued", width: 12, show: ({ record }) => dayText(textOf(record.date)) },
  {
    name: "range",
    ...{ label: "Guidance", align: "end", width: 17 },
    doc: "Guided range, colored by how its midpoint compares with the estimate",
    arrow: true,
    show: (row) => rangeText(row.low, row.high, (value) => print(row, value)),
    tone: ({ low, high, estimate }) => rangeTone(low, high, estimate),
  },
  {
    name: "estimate",
    ...{ label: "Estimate", align: "end", width: 9 },
    show: (row) => (row.estimate === undefined ? "" : print(row, row.estimate)),
  },
  { name: "picture", label: "Chart", width: 13, show: (row) => <Range row={row} /> },
  {
    name: "result",
    ...{ label: "Result", align: "end", width: 10 },
    doc: "Reported for the period; Σ marks the sum of its quarters",
    show: (row) =>
      row.result === undefined ? (
        <span class="faint">–</span>
      ) : (
        <span {...(row.result.isSum ? { title: "Sum of the quarters" } : {})}>
          {row.result.isSum && <span class="faint">Σ </span>}
          {print(row, row.result.value)}
        </span>
      ),
    tone: toneOfVerdict,
  },
  { name: "verdict", label: "vs. range", width: 8, show: ({ verdict }) => verdict ?? "", tone: toneOfVerdict },
];

const card: Card<GuidanceRow> = {
  ...cardOf(columns, { title: ["period"], when: ["date"], values: ["range", "estimate", "result"] }),
  about: [
    {
      ...{ name: "verdict", label: "" },
      show: ({ verdict }) => (verdict === undefined ? "" : `result ${verdict} the range`),
    },
  ],
};

const [width, height] = [96, 20];

/** Range, estimate, and result on one line; other columns show the same values. */
function Range({ row }: { readonly row: GuidanceRow }) {
  const { low, high, estimate, result, domain } = row;
  const x = (value: number): number => scaleTo(value, domain, 4, width - 4);
  const tone = toneOfVerdict(row);
  return (
    <svg class="range" width={width} height={height} aria-hidden="true">
      <line class="range-line" x1={0} x2={width} y1={height / 2} y2={height / 2} />
      <rect class="range-span" x={x(low)} width={Math.max(3, x(high) - x(low))} y={4} height={height - 8} rx={2} />
      {estimate !== undefined && (
        <line class="range-estimate" x1={x(estimate)} x2={x(estimate)} y1={2} y2={height - 2} />
      )}
      {result !== undefined && <circle class={`plot-dot ${tone ?? ""}`} cx={x(result.value)} cy={height / 2} r={4.5} />}
    </svg>
  );
}
