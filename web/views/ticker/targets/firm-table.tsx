// Where each firm stands: its rating and its target, the newest first. A firm can be set off in the picture.
import { dayText } from "../../../format/day.ts";
import { changeOf, decimal, signed, toneOf } from "../../../format/number.ts";
import { type Column, textOf } from "../../../parts/table/column.tsx";
import { Table } from "../../../parts/table/table.tsx";
import type { Firm } from "./targets.ts";

type Props = {
  readonly firms: readonly Firm[];
  readonly chosen: string | undefined;
  readonly onChoose: (firm: string) => void;
};

export function FirmTable({ firms, chosen, onChoose }: Props) {
  const columns: Column<Firm>[] = [
    {
      name: "firm",
      label: "Firm",
      most: 17,
      show: ({ firm, name }) => (
        <button
          type="button"
          class="firm"
          aria-pressed={firm === chosen}
          title={`${name}: set off in the picture and the table below`}
          onClick={() => onChoose(firm)}
        >
          {name}
        </button>
      ),
    },
    { name: "rating", label: "Rating", most: 13, show: (firm) => textOf(lastOf(firm)?.rating_current) },
    {
      name: "target",
      label: "Target",
      align: "end",
      doc: "The target that stands; none where the firm has said nothing for a year or has ceased to cover it",
      show: ({ target }) => (target === undefined ? <span class="faint">–</span> : decimal(target.toFixed(2))),
    },
    {
      name: "change",
      label: "Last change",
      align: "end",
      show: (firm) => signed(changeOf(lastOf(firm)?.pt_current, lastOf(firm)?.pt_prior), 1, "%"),
      tone: (firm) => toneOf(lastOf(firm)?.pt_current, lastOf(firm)?.pt_prior),
    },
    { name: "date", label: "Last word", align: "end", show: (firm) => dayText(textOf(lastOf(firm)?.date)) },
  ];
  return (
    <div class="firms">
      <Table
        caption="Where each firm stands"
        columns={columns}
        rows={firms}
        idOf={({ firm }) => firm}
        openId={chosen}
      />
    </div>
  );
}

const lastOf = ({ words }: Firm) => words.at(-1)?.record;
