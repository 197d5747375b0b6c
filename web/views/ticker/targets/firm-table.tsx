// Current rating and price target of each firm, newest first. Selecting a firm highlights it in the chart.
import { dayText } from "../../../format/day.ts";
import { changeOf, decimal, signed, toneOf } from "../../../format/number.ts";
import { cardOf } from "../../../parts/table/card.tsx";
import { type Column, textOf } from "../../../parts/table/column.tsx";
import { Table } from "../../../parts/table/table.tsx";
import type { Firm } from "./targets.ts";

type Props = {
  readonly firms: readonly Firm[];
  readonly selected: string | undefined;
  readonly onSelect: (firm: string) => void;
};

export function FirmTable({ firms, selected, onSelect }: Props) {
  const columns: Column<Firm>[] = [
    {
      name: "firm",
      ...{ label: "Firm", width: 11, grow: true },
      show: ({ firm, name }) => (
        <button
          type="button"
          class="firm"
          aria-pressed={firm === selected}
          title={`${name}: highlight in the chart and filter the table below`}
          onClick={() => onSelect(firm)}
        >
          {name}
        </button>
      ),
    },
    { name: "rating", label: "Rating", width: 14, show: (firm) => textOf(lastOf(firm)?.rating_current) },
    {
      name: "target",
      label: "Target",
      ...{ align: "end", width: 9 },
      doc: "Current target; none if the firm hasn’t updated it for a year or has dropped coverage",
      show: ({ target }) => (target === undefined ? <span class="faint">–</span> : decimal(target.toFixed(2))),
    },
    {
      name: "change",
      ...{ label: "Last change", align: "end", width: 9 },
      show: (firm) => signed(changeOf(lastOf(firm)?.pt_current, lastOf(firm)?.pt_prior), 1, "%"),
      tone: (firm) => toneOf(lastOf(firm)?.pt_current, lastOf(firm)?.pt_prior),
    },
    { name: "date", label: "Updated", align: "end", width: 12, show: (firm) => dayText(textOf(lastOf(firm)?.date)) },
  ];
  return (
    <div class="firms">
      <Table
        caption="Ratings and targets by firm"
        columns={columns}
        optional={["change"]}
        card={cardOf(columns, { title: ["firm"], when: ["date"], values: ["rating", "target", "change"] })}
        rows={firms}
        idOf={({ firm }) => firm}
        openId={selected}
      />
    </div>
  );
}

const lastOf = ({ ratings }: Firm) => ratings.at(-1)?.record;
