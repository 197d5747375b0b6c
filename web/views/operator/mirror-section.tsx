// Mirror status: upstream, lag, and errors.
import { commandText } from "../../api/settings.ts";
import { durationText } from "../../format/amount.ts";
import { whole } from "../../format/number.ts";
import { plural } from "../../format/words.ts";
import type { DataSource } from "../../parts/data-source.ts";
import { Section } from "../../parts/section.tsx";
import type { Column } from "../../parts/table/column.tsx";
import { Table } from "../../parts/table/table.tsx";
import type { Mirror, MirroredResource, Status } from "./administration.ts";
import { Facts } from "./facts.tsx";

export function MirrorSection({
  source,
  status,
}: {
  readonly source: DataSource;
  readonly status: Status | undefined;
}) {
  const mirror = status?.mirror;
  return (
    <Section name="mirror" title="Mirror" source={source} about={aboutMirror(mirror)}>
      {mirror === null && (
        <p class="section-text faint">
          The records of this database come from imports, feeds, and the write API. To mirror another server, run{" "}
          <code>{commandText("mirror URL")}</code>.
        </p>
      )}
      {mirror !== undefined && mirror !== null && <MirrorState mirror={mirror} />}
    </Section>
  );
}

function aboutMirror(mirror: Mirror | null | undefined): string {
  if (mirror === undefined) return "";
  if (mirror === null) return "This database isn’t a mirror.";
  return mirror.holder === null ? "not running" : `running in ${mirror.holder}`;
}

function MirrorState({ mirror }: { readonly mirror: Mirror }) {
  const { upstream, via, budget, feed_refused, errors, resources } = mirror;
  const mirrorErrors = Object.entries(errors);
  const facts = [
    ["Upstream", upstream],
    ["Source", via],
    ["Budget", `${budget.rate}; ${whole(budget.used)} used, ${plural(budget.requests, "request")} in total`],
    ...(feed_refused === null ? [] : [["Change feed", feed_refused] as const]),
  ] as const;
  return (
    <>
      <Facts of={facts} />
      {mirrorErrors.length > 0 && (
        <ul class="mirror-errors" aria-label="Errors">
          {mirrorErrors.map(([name, { text }]) => (
            <li key={name}>
              <strong>{name}</strong>: {text}
            </li>
          ))}
        </ul>
      )}
      <Table caption="Mirror status by resource" columns={columns} rows={resources} idOf={(row) => row.resource} />
    </>
  );
}

const columns: readonly Column<MirroredResource>[] = [
  { name: "resource", label: "Resource", width: 16, grow: true, show: ({ resource }) => resource },
  { name: "records", label: "Records", align: "end", width: 10, show: ({ records }) => whole(records) },
  {
    name: "lag",
    label: "Lag",
    ...{ align: "end", width: 10 },
    doc: "Time since the last known change",
    show: ({ lag }) => (lag === null ? "not started" : durationText(lag)),
  },
  {
    name: "filled",
    ...{ label: "Backfill", width: 24, grow: true },
    doc: "How far back records are complete",
    show: ({ filled, down_to, windows_left }) =>
      filled
        ? "complete"
        : [
            down_to === null ? "in progress" : `from ${down_to}`,
            ...(windows_left === null ? [] : [`${plural(windows_left, "window")} left`]),
          ].join(", "),
  },
  {
    name: "refused",
    label: "Rejected",
    ...{ align: "end", width: 10 },
    doc: "Upstream records that failed validation",
    show: ({ counts }) => whole(counts.refused),
    tone: ({ counts }) => (counts.refused > 0 ? "down" : undefined),
  },
  {
    name: "gaps",
    label: "Gaps",
    ...{ align: "end", width: 10 },
    doc: "Date ranges that could not be read completely",
    show: ({ gaps }) => whole(gaps.length),
    tone: ({ gaps }) => (gaps.length > 0 ? "down" : undefined),
  },
];
