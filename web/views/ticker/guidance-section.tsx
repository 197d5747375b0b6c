// Guidance against results: each range on the scale of its period, with the estimate of the time and what then came.
import { recordsOf } from "../../api/client.ts";
import { dayText } from "../../format/day.ts";
import { compact, decimal } from "../../format/number.ts";
import { rangeText, rangeTone } from "../../format/range.ts";
import { placed } from "../../format/scale.ts";
import type { Part } from "../../parts/part.ts";
import { Section } from "../../parts/section.tsx";
import { type Column, type Item, textOf } from "../../parts/table/column.tsx";
import { Table } from "../../parts/table/table.tsx";
import { type Guided, guidedOf } from "./guided.ts";
import type { SectionProps } from "./section-props.ts";

type Props = SectionProps & { readonly earnings: Part };

export function GuidanceSection({ symbol, part, earnings, onOpen, openId }: Props) {
  const records = recordsOf<Item>(part.asked.answer?.body);
  const rows = guidedOf(records, recordsOf<Item>(earnings.asked.answer?.body));
  const isEmpty = part.asked.answer !== undefined && rows.length === 0;
  return (
    <Section
      name="guidance"
      title="Guidance"
      part={part}
      href={`/calendar/guidance?tickers=${encodeURIComponent(symbol)}`}
      about={isEmpty ? "No guidance." : aboutGuidance(rows)}
    >
      {rows.length > 0 && (
        <>
          <p class="plot-legend faint" aria-hidden="true">
            <span class="legend-range" /> guided <span class="legend-tick" /> estimate then{" "}
            <span class="legend-dot up" /> result above <span class="legend-dot" /> within{" "}
            <span class="legend-dot down" /> below
          </p>
          <Table
            caption={`Guidance of ${symbol} against results, newest first`}
            columns={columns}
            rows={rows}
            idOf={({ id }) => id}
            nameOf={({ period, record }) => `the guidance of ${dayText(textOf(record.date))} for ${period}`}
            begins={(row, before) => before !== undefined && row.period !== before.period}
            onOpen={({ record }) => onOpen(record)}
            openId={rows.find(({ record }) => textOf(record.id) === openId)?.id}
          />
        </>
      )}
    </Section>
  );
}

function aboutGuidance(rows: readonly Guided[]): string {
  const judged = rows.filter(({ verdict }) => verdict !== undefined);
  if (judged.length === 0) return "";
  const count = (verdict: string) => judged.filter((row) => row.verdict === verdict).length;
  return `results: ${count("above")} above, ${count("within")} within, ${count("below")} below the range`;
}

const print = ({ measure }: Guided, value: unknown): string => (measure === "eps" ? decimal(value) : compact(value));
const tones = { above: "up", below: "down", within: undefined } as const;
const toneOfVerdict = ({ verdict }: Guided) => (verdict === undefined ? undefined : tones[verdict]);

const columns: readonly Column<Guided>[] = [
  {
    name: "period",
    label: "For",
    show: ({ period, measure }) => (
      <>
        {period} <span class="faint">{measure === "eps" ? "EPS" : "revenue"}</span>
      </>
    ),
  },
  { name: "date", label: "Given", show: ({ record }) => dayText(textOf(record.date)) },
  {
    name: "range",
    label: "Guided",
    align: "end",
    doc: "The guided range; coloured by where its middle lies to the estimate",
    arrow: true,
    show: (row) => rangeText(row.low, row.high, (value) => print(row, value)),
    tone: ({ low, high, estimate }) => rangeTone(low, high, estimate),
  },
  {
    name: "estimate",
    label: "Estimate",
    align: "end",
    show: (row) => (row.estimate === undefined ? "" : print(row, row.estimate)),
  },
  { name: "picture", label: "On one scale", show: (row) => <Range guided={row} /> },
  {
    name: "result",
    label: "Result",
    align: "end",
    doc: "What was reported for the period; Σ where it is the sum of its quarters",
    show: (row) =>
      row.result === undefined ? (
        <span class="faint">–</span>
      ) : (
        <span {...(row.result.isSum ? { title: "The sum of its quarters" } : {})}>
          {row.result.isSum && <span class="faint">Σ </span>}
          {print(row, row.result.value)}
        </span>
      ),
    tone: toneOfVerdict,
  },
  { name: "verdict", label: "Verdict", show: ({ verdict }) => verdict ?? "", tone: toneOfVerdict },
];

const [width, height] = [96, 20];

/** The range, the estimate and the result on one line; the cells beside it say the same. */
function Range({ guided }: { readonly guided: Guided }) {
  const { low, high, estimate, result, domain } = guided;
  const x = (value: number): number => placed(value, domain, 4, width - 4);
  const tone = toneOfVerdict(guided);
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
