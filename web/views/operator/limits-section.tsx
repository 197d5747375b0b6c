// Rate-limited requests by day, key, and resource.
import { shortDay } from "../../format/day.ts";
import { percent, whole } from "../../format/number.ts";
import type { DataSource } from "../../parts/data-source.ts";
import { Section } from "../../parts/section.tsx";
import type { Column } from "../../parts/table/column.tsx";
import { Table } from "../../parts/table/table.tsx";
import type { Usage } from "./administration.ts";
import { limitedUsage } from "./key-usage.ts";

type Props = { readonly source: DataSource; readonly usage: readonly Usage[]; readonly days: number };

export function LimitsSection({ source, usage, days }: Props) {
  const limits = limitedUsage(usage);
  const limited = limits.reduce((sum, row) => sum + row.limited, 0);
  const isKnown = source.result.response !== undefined;
  return (
    <Section
      name="limits"
      title="Rate-limited requests"
      source={source}
      about={isKnown ? `${limited === 0 ? "none" : whole(limited)} in ${days} days` : ""}
    >
      {limits.length > 0 && (
        <Table
          caption="Rate-limited requests, newest first"
          columns={columns}
          rows={limits}
          idOf={({ day, key, resource }) => `${day} ${key} ${resource}`}
        />
      )}
    </Section>
  );
}

const columns: readonly Column<Usage>[] = [
  { name: "day", label: "Day", width: 12, show: ({ day }) => shortDay(day) },
  { name: "key", label: "Key", width: 16, grow: true, show: ({ key }) => key },
  { name: "resource", label: "Resource", width: 16, grow: true, show: ({ resource }) => resource },
  {
    name: "limited",
    label: "Rejected",
    align: "end",
    width: 9,
    show: ({ limited }) => whole(limited),
    tone: () => "down",
  },
  {
    name: "share",
    label: "Share of requests",
    ...{ align: "end", width: 9 },
    show: ({ limited, requests }) => (requests === 0 ? "" : percent(limited / requests, 1)),
  },
];
