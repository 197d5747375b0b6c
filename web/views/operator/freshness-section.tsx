// How fresh each resource is, and how the server itself stands.

import { type Listing, useDocument } from "../../api/document.ts";
import { agoOf, bytesText, durationText } from "../../format/amount.ts";
import { momentText } from "../../format/day.ts";
import { percent, whole } from "../../format/number.ts";
import type { Part } from "../../parts/part.ts";
import { Section } from "../../parts/section.tsx";
import type { Column } from "../../parts/table/column.tsx";
import { Table } from "../../parts/table/table.tsx";
import type { ResourceStand, Status } from "./administration.ts";
import { Facts } from "./facts.tsx";

export function FreshnessSection({ part, status }: { readonly part: Part; readonly status: Status | undefined }) {
  const listings = useDocument()?.listings ?? [];
  return (
    <Section
      name="freshness"
      title="Freshness"
      part={part}
      about={status === undefined ? "" : `last change ${lastChange(status)}`}
    >
      {status !== undefined && (
        <>
          <Table
            caption="How fresh each resource is"
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

function columnsOf({ now, zone }: Status, listings: readonly Listing[]): Column<ResourceStand>[] {
  const viewOf = (name: string) => listings.find((each) => each.name === name)?.view ?? "/";
  return [
    { name: "name", label: "Resource", show: ({ name }) => <a href={viewOf(name)}>{name}</a> },
    { name: "records", label: "Records", align: "end", show: ({ records }) => whole(records) },
    {
      name: "changed",
      label: "Changed",
      align: "end",
      doc: "When a record was last added, changed or removed",
      show: ({ changed }) =>
        changed === null ? (
          <span class="faint">–</span>
        ) : (
          <span title={momentText(changed, zone)}>{agoOf(changed, now)}</span>
        ),
    },
    {
      name: "newest",
      label: "Newest",
      doc: "Day of the last record by day, which may be to come; of news the moment",
      show: ({ newest }) =>
        newest === null ? <span class="faint">–</span> : newest.includes("T") ? momentText(newest, zone) : newest,
    },
  ];
}

function ServerFacts({ status }: { readonly status: Status }) {
  const { started, now, cache } = status;
  const asked = cache.hits + cache.misses;
  const facts = [
    ["Up for", durationText((Date.parse(now) - Date.parse(started)) / 1000)],
    ["Answered from memory", asked === 0 ? "–" : percent(cache.hits / asked, 1)],
    ["Answers in memory", bytesText(cache.bytes)],
  ] as const;
  return <Facts of={facts} />;
}
