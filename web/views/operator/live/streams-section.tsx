// Open streams: who is connected, how far each client has come, and why streams were closed.
import { agoOf, bytesText, durationText } from "../../../format/amount.ts";
import { whole } from "../../../format/number.ts";
import { plural } from "../../../format/words.ts";
import type { DataSource } from "../../../parts/data-source.ts";
import { Section } from "../../../parts/section.tsx";
import type { Column } from "../../../parts/table/column.tsx";
import { Table } from "../../../parts/table/table.tsx";
import type { OpenStream, OpenStreams } from "./requests.ts";

/** Each means that clients lost their connection, and had to resume. */
const reasons: Readonly<Record<string, string>> = {
  draining: "server stopped",
  expired: "key expired",
  revoked: "key revoked",
  terms: "terms of the key changed",
  settings: "settings changed",
  pruned: "change log pruned",
  slow: "client too slow",
};

export function StreamsSection({ source }: { readonly source: DataSource }) {
  const body = source.result.response?.body as OpenStreams | undefined;
  const dropped = Object.entries(body?.closed ?? {}).filter(([, count]) => count > 0);
  return (
    <Section
      name="streams"
      title="Streams"
      source={source}
      about={body === undefined ? "" : `${plural(body.open, "open stream")}${aboutLag(body.streams)}`}
    >
      {dropped.length > 0 && (
        <p class="section-text faint">
          Closed by the server:{" "}
          {dropped.map(([reason, count]) => `${whole(count)} (${reasons[reason] ?? reason})`).join(", ")}.
        </p>
      )}
      {body !== undefined && body.streams.length > 0 && (
        <Table
          caption="Open streams, furthest behind first"
          columns={columnsAt(body.now)}
          rows={body.streams}
          idOf={(stream) => `${stream.key} ${stream.address} ${stream.opened} ${stream.resource} ${stream.filters}`}
        />
      )}
    </Section>
  );
}

function aboutLag(streams: readonly OpenStream[]): string {
  const behind = streams.filter(({ phase }) => phase !== "live").length;
  return streams.length === 0 ? "" : behind === 0 ? ", all live" : `, ${behind} catching up`;
}

const columnsAt = (now: string): readonly Column<OpenStream>[] => [
  { name: "key", label: "Key", width: 16, show: ({ key }) => key },
  { name: "resource", label: "Resource", width: 16, show: ({ resource }) => resource },
  {
    name: "transport",
    label: "Transport",
    width: 18,
    show: ({ transport }) => (transport === "messages" ? "WebSocket" : "server-sent events"),
  },
  { name: "filters", label: "Filters", width: 28, grow: true, show: ({ filters }) => filters || "none" },
  { name: "address", label: "Address", width: 15, show: ({ address }) => address },
  { name: "opened", label: "Opened", width: 10, align: "end", show: ({ opened }) => agoOf(opened, now) },
  { name: "events", label: "Events", width: 8, align: "end", show: ({ events }) => whole(events) },
  { name: "bytes", label: "Sent", width: 9, align: "end", show: ({ bytes }) => bytesText(bytes) },
  {
    name: "behind",
    label: "Behind",
    width: 7,
    align: "end",
    doc: "Changes in the log that the client has not reached yet",
    show: ({ phase, behind }) => (phase === "live" ? "live" : whole(behind)),
    tone: ({ phase }) => (phase === "live" ? undefined : "down"),
  },
  {
    name: "unread",
    label: "Unread",
    width: 8,
    align: "end",
    doc: "Bytes that the client has not read yet",
    show: ({ unread }) => bytesText(unread),
  },
  {
    name: "delay",
    label: "Delay",
    width: 7,
    align: "end",
    doc: "Delay of the key",
    show: ({ delay_minutes }) => (delay_minutes === 0 ? "none" : durationText(delay_minutes * 60)),
  },
];
