// Where limits of keys were met: who needs more than was sold, or asks too fast.
import { shortDay } from "../../format/day.ts";
import { percent, whole } from "../../format/number.ts";
import type { Part } from "../../parts/part.ts";
import { Section } from "../../parts/section.tsx";
import type { Column } from "../../parts/table/column.tsx";
import { Table } from "../../parts/table/table.tsx";
import type { Usage } from "./administration.ts";
import { limitsMet } from "./use-of-keys.ts";

type Props = { readonly part: Part; readonly usage: readonly Usage[]; readonly days: number };

export function LimitsSection({ part, usage, days }: Props) {
  const limits = limitsMet(usage);
  const limited = limits.reduce((sum, row) => sum + row.limited, 0);
  const isKnown = part.asked.answer !== undefined;
  return (
    <Section
      name="limits"
      title="Limits met"
      part={part}
      about={isKnown ? `${limited === 0 ? "none" : whole(limited)} in ${days} days` : ""}
    >
      {limits.length > 0 && (
        <Table
          caption="Where limits were met, newest first"
          columns={columns}
          rows={limits}
          idOf={({ day, key, resource }) => `${day} ${key} ${resource}`}
        />
      )}
    </Section>
  );
}

const columns: readonly Column<Usage>[] = [
  { name: "day", label: "Day", show: ({ day }) => shortDay(day) },
  { name: "key", label: "Key", most: 22, show: ({ key }) => key },
  { name: "resource", label: "Resource", show: ({ resource }) => resource },
  { name: "limited", label: "Refused", align: "end", show: ({ limited }) => whole(limited), tone: () => "down" },
  {
    name: "share",
    label: "Of its requests",
    align: "end",
    show: ({ limited, requests }) => (requests === 0 ? "" : percent(limited / requests, 1)),
  },
];
