// Dividends of a company: chart of amounts, and a table with dates.
import { recordsOf } from "../../api/client.ts";
import { dayText } from "../../format/day.ts";
import { decimal, numberOf, percent, toneOf } from "../../format/number.ts";
import { frequencyText } from "../../format/words.ts";
import { ColumnPlot, type PlotColumn } from "../../parts/chart/column-plot.tsx";
import { Section } from "../../parts/section.tsx";
import { type Card, cardOf } from "../../parts/table/card.tsx";
import { type Column, type Item, textOf } from "../../parts/table/column.tsx";
import { Table } from "../../parts/table/table.tsx";
import { oldestFirst } from "./periods.ts";
import type { SectionProps } from "./section-props.ts";

export function DividendSection({ symbol, source, onOpen, openId }: SectionProps) {
  const records = recordsOf<Item>(source.result.response?.body);
  const withAmount = oldestFirst(records).filter(({ dividend }) => numberOf(dividend) !== undefined);
  const isEmpty = source.result.response !== undefined && records.length === 0;
  return (
    <Section
      name="dividends"
      title="Dividends"
      source={source}
      href={`/calendar/dividends?tickers=${encodeURIComponent(symbol)}`}
      about={isEmpty ? "No dividends." : aboutDividends(withAmount.at(-1))}
    >
      {withAmount.length > 0 && (
        <ColumnPlot
          label={`Dividends of ${symbol} by ex-dividend date. The table below shows the numbers.`}
          domain={[0, Math.max(...withAmount.map(({ dividend }) => numberOf(dividend) ?? 0)) * 1.12 || 1]}
          print={(value) => decimal(String(value))}
          columns={withAmount.map(columnOf)}
          minWidth={54}
        />
      )}
      {records.length > 0 && (
        <Table
          caption={`Dividends of ${symbol}, newest first`}
          columns={columns}
          optional={["record_date", "kind"]}
          card={card}
          rows={records}
          idOf={({ id }) => String(id)}
          nameOf={({ date }) => `dividend announced ${dayText(textOf(date))}`}
          onOpen={onOpen}
          openId={openId}
        />
      )}
    </Section>
  );
}

function aboutDividends(last: Item | undefined): string {
  if (last === undefined) return "";
  const { dividend, currency, frequency, dividend_yield } = last;
  const yields = percent(dividend_yield);
  return [
    `${decimal(dividend)}${textOf(currency) === "" ? "" : ` ${textOf(currency)}`}`,
    frequencyText(frequency),
    yields === "" ? "" : `yield ${yields}`,
  ]
    .filter((each) => each !== "")
    .join(", ");
}

const dayOf = ({ ex_dividend_date, date }: Item): string => textOf(ex_dividend_date) || textOf(date);

function columnOf(record: Item): PlotColumn {
  const { id, dividend, dividend_prior } = record;
  const amount = numberOf(dividend) ?? 0;
  const tone = toneOf(dividend, dividend_prior);
  return {
    id: textOf(id),
    labels: [{ text: monthText(dayOf(record)) }, { text: decimal(dividend), tone }],
    draw: (x, width, y) => (
      <rect
        class={`plot-bar ${tone ?? ""}`}
        x={x - Math.min(width * 0.3, 16)}
        width={Math.min(width * 0.6, 32)}
        y={y(amount)}
        height={Math.max(1, y(0) - y(amount))}
      />
    ),
  };
}

/** `Mar ’26`. */
const monthText = (day: string): string => dayText(day).replace(/ \d+, \d\d(\d\d)$/, " ’$1");

const day = (name: string, label: string): Column => ({
  name,
  ...{ label, width: 12 },
  show: (record) => dayText(textOf(record[name])),
});

const columns: readonly Column[] = [
  day("date", "Announced"),
  {
    name: "dividend",
    label: "Amount",
    ...{ align: "end", width: 9, arrow: true },
    show: ({ dividend }) => decimal(dividend),
    tone: ({ dividend, dividend_prior }) => toneOf(dividend, dividend_prior),
  },
  { name: "yield", label: "Yield", align: "end", width: 8, show: ({ dividend_yield }) => percent(dividend_yield) },
  day("ex_dividend_date", "Ex-date"),
  day("record_date", "Record date"),
  day("payable_date", "Payable"),
  { name: "kind", label: "Type", width: 8, grow: true, show: ({ dividend_type }) => textOf(dividend_type) },
];

const card: Card<Item> = {
  ...cardOf(columns, { title: [], when: ["kind"], values: ["dividend", "ex_dividend_date", "payable_date"] }),
  title: [{ name: "date", label: "", show: ({ date }) => `Announced ${dayText(textOf(date))}` }],
};
