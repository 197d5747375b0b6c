// How the mirror stands: what it follows, how far behind it is, and what went wrong.
import { durationText } from "../../format/amount.ts";
import { whole } from "../../format/number.ts";
import { plural } from "../../format/words.ts";
import type { Part } from "../../parts/part.ts";
import { Section } from "../../parts/section.tsx";
import type { Column } from "../../parts/table/column.tsx";
import { Table } from "../../parts/table/table.tsx";
import type { Mirror, MirroredResource, Status } from "./administration.ts";
import { Facts } from "./facts.tsx";

export function MirrorSection({ part, status }: { readonly part: Part; readonly status: Status | undefined }) {
  const mirror = status?.mirror;
  return (
    <Section name="mirror" title="Mirror" part={part} about={aboutMirror(mirror)}>
      {mirror === null && (
        <p class="section-text faint">
          The records of this database come from imports, feeds and the write API. <code>bellwire mirror</code> makes it
          follow another service.
        </p>
      )}
      {mirror !== undefined && mirror !== null && <MirrorState mirror={mirror} />}
    </Section>
  );
}

function aboutMirror(mirror: Mirror | null | undefined): string {
  if (mirror === undefined) return "";
  if (mirror === null) return "This database is no mirror.";
  return mirror.holder === null ? "no process mirrors now" : `mirrored by ${mirror.holder}`;
}

function MirrorState({ mirror }: { readonly mirror: Mirror }) {
  const { upstream, via, budget, feed_refused, errors, resources } = mirror;
  const troubles = Object.entries(errors);
  const facts = [
    ["Upstream", upstream],
    ["Read by", via],
    ["Budget", `${budget.rate}; ${whole(budget.used)} used, ${plural(budget.requests, "request")} in all`],
    ...(feed_refused === null ? [] : [["Change feed", feed_refused] as const]),
  ] as const;
  return (
    <>
      <Facts of={facts} />
      {troubles.length > 0 && (
        <ul class="troubles" aria-label="What went wrong">
          {troubles.map(([name, { text }]) => (
            <li key={name}>
              <strong>{name}</strong>: {text}
            </li>
          ))}
        </ul>
      )}
      <Table
        caption="How far each resource is mirrored"
        columns={columns}
        rows={resources}
        idOf={(row) => row.resource}
      />
    </>
  );
}

const columns: readonly Column<MirroredResource>[] = [
  { name: "resource", label: "Resource", show: ({ resource }) => resource },
  { name: "records", label: "Records", align: "end", show: ({ records }) => whole(records) },
  {
    name: "lag",
    label: "Behind",
    align: "end",
    doc: "Time since the moment up to which changes are known",
    show: ({ lag }) => (lag === null ? "not begun" : durationText(lag)),
  },
  {
    name: "filled",
    label: "Past",
    doc: "How far back everything has been read",
    show: ({ filled, down_to, windows_left }) =>
      filled
        ? "complete"
        : [
            down_to === null ? "under way" : `from ${down_to}`,
            ...(windows_left === null ? [] : [`${plural(windows_left, "window")} left`]),
          ].join(", "),
  },
  {
    name: "refused",
    label: "Refused",
    align: "end",
    doc: "Records of the upstream that could not be taken",
    show: ({ counts }) => whole(counts.refused),
    tone: ({ counts }) => (counts.refused > 0 ? "down" : undefined),
  },
  {
    name: "gaps",
    label: "Gaps",
    align: "end",
    doc: "Spans of days of which not all could be read",
    show: ({ gaps }) => whole(gaps.length),
    tone: ({ gaps }) => (gaps.length > 0 ? "down" : undefined),
  },
];
