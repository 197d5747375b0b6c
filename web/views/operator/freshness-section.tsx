// Data freshness by resource, uptime, and cache statistics.

import { type Listing, useDocument } from "../../api/document.ts";
import { timestampText } from "../../api/time-zone.ts";
import { agoOf, bytesText, durationText } from "../../format/amount.ts";
import { dayText } from "../../format/day.ts";
import { percent, whole } from "../../format/number.ts";
import type { DataSource } from "../../parts/data-source.ts";
import { Section } from "../../parts/section.tsx";
import type { Column } from "../../parts/table/column.tsx";
import { Table } from "../../parts/table/table.tsx";
import type { ResourceStatus, Status } from "./administration.ts";
import { Facts } from "./facts.tsx";

export function FreshnessSection({
  source,
  status,
}: {
  readonly source: DataSource;
  readonly status: Status | undefined;
}) {
  const listings = useDocument()?.listings ?? [];
  return (
    <Section
      name="freshness"
      title="Freshness"
      source={source}
      about={status === undefined ? "" : `last change ${lastChange(status)}`}
    >
      {status !== undefined && (
        <>
          <Table
            caption="Freshness by resource"
            columns={columnsOf(status, listings)}
            rows={status.resources}
            idOf={({ name }) => name}
          />
          <ServerFacts status={status} />
        </>
      )}
    </Section>
  );
}

function lastChange({ resources, now }: Status): string {
  const last = resources
    .flatMap(({ changed }) => changed ?? [])
    .sort()
    .at(-1);
  return last === undefined ? "unknown" : agoOf(last, now);
}

function columnsOf({ now }: Status, listings: readonly Listing[]): Column<ResourceStatus>[] {
  const viewOf = (name: string) => listings.find((each) => each.name === name)?.view ?? "/";
  return [
    { name: "name", label: "Resource", width: 12, grow: true, show: ({ name }) => <a href={viewOf(name)}>{name}</a> },
    { name: "records", label: "Records", align: "end", width: 8, show: ({ records }) => whole(records) },
    {
      name: "changed",
      label: "Changed",
      ...{ align: "end", width: 9 },
      doc: "When a record was last added, changed, or removed",
      show: ({ changed }) =>
        changed === null ? (
          <span class="faint">–</span>
        ) : (
          <span title={timestampText(changed)}>{agoOf(changed, now)}</span>
        ),
    },
    {
      name: "newest",
      ...{ label: "Newest", width: 22 },
      doc: "Date of the newest record, which may be in the future",
      show: ({ newest }) =>
        newest === null ? <span class="faint">–</span> : newest.includes("T") ? timestampText(newest) : dayText(newest),
    },
  ];
}

function ServerFacts({ status }: { readonly status: Status }) {
  const { started, now, cache } = status;
  const lookups = cache.hits + cache.misses;
  const facts = [
    ["Uptime", durationText((Date.parse(now) - Date.parse(started)) / 1000)],
    ["Cache hit rate", lookups === 0 ? "–" : percent(cache.hits / lookups, 1)],
    ["Cache size", bytesText(cache.bytes)],
  ] as const;
  return <Facts of={facts} />;
}
