// Webhooks: state, lag, and the deliveries of the one that is selected in the URL, `webhook=ID`.
import { recordsOf } from "../../../api/client.ts";
import { commandText } from "../../../api/settings.ts";
import { timestampText } from "../../../api/time-zone.ts";
import { changeQuery, hrefWith, useLocation } from "../../../app/location.ts";
import { durationText } from "../../../format/amount.ts";
import { whole } from "../../../format/number.ts";
import { plural } from "../../../format/words.ts";
import type { DataSource } from "../../../parts/data-source.ts";
import { Notice } from "../../../parts/notice.tsx";
import { Section } from "../../../parts/section.tsx";
import type { Column } from "../../../parts/table/column.tsx";
import { Table } from "../../../parts/table/table.tsx";
import type { Delivery, Webhook } from "./requests.ts";

type Props = { readonly source: DataSource; readonly deliveries: DataSource };

export function WebhooksSection({ source, deliveries }: Props) {
  const { query } = useLocation();
  const isKnown = source.result.response !== undefined;
  const webhooks = recordsOf<Webhook>(source.result.response?.body);
  const selected = webhooks.find(({ id }) => id === query.get("webhook"));
  const failing = webhooks.filter(({ state, held }) => state === "suspended" || held > 0).length;
  return (
    <Section
      name="webhooks"
      title="Webhooks"
      source={source}
      about={
        !isKnown
          ? ""
          : webhooks.length === 0
            ? "none"
            : `${plural(webhooks.length, "webhook")}${failing === 0 ? "" : `, ${failing} failing`}`
      }
    >
      {isKnown && webhooks.length === 0 && (
        <p class="section-text faint">
          Create one with <code>{commandText("webhooks create RESOURCE --url URL")}</code>.
        </p>
      )}
      {webhooks.length > 0 && (
        <Table
          caption="Webhooks and their state"
          columns={columns}
          rows={webhooks}
          idOf={({ id }) => id}
          nameOf={({ url }) => `deliveries to ${url}`}
          openId={selected?.id}
          onOpen={({ id }) =>
            changeQuery({ webhook: id === selected?.id ? undefined : id, record: undefined }, { replace: true })
          }
        />
      )}
      {selected !== undefined && (
        <>
          <h3>
            Deliveries to {selected.url}{" "}
            <a class="button" href={hrefWith({ webhook: undefined })}>
              Close
            </a>
          </h3>
          {selected.reason !== "" && <p class="section-text">{selected.reason}</p>}
          <Deliveries source={deliveries} url={selected.url} />
        </>
      )}
    </Section>
  );
}

function Deliveries({ source, url }: { readonly source: DataSource; readonly url: string }) {
  const { response, failure, refetch } = source.result;
  const rows = recordsOf<Delivery>(response?.body);
  if (failure !== undefined) return <Notice failure={failure} refetch={refetch} />;
  if (rows.length === 0)
    return <p class="section-text faint">{response === undefined ? "Loading…" : "No deliveries yet."}</p>;
  return (
    <Table
      caption={`Deliveries to ${url}, newest first`}
      columns={deliveryColumns}
      rows={rows}
      idOf={({ id, attempt, at }) => `${id} ${attempt} ${at}`}
    />
  );
}

const isSuccess = (status: number | null): boolean => status !== null && status >= 200 && status < 300;

const columns: readonly Column<Webhook>[] = [
  { name: "url", label: "Receiver", width: 40, grow: true, show: ({ url }) => url },
  { name: "resource", label: "Resource", width: 16, show: ({ resource }) => resource },
  { name: "filters", label: "Filters", width: 28, show: ({ filters }) => filters || "none" },
  { name: "key", label: "Key", width: 16, show: ({ key }) => key || "none" },
  {
    name: "state",
    label: "State",
    width: 10,
    show: ({ state }) => state,
    tone: ({ state }) => (state === "active" ? "up" : state === "paused" ? undefined : "down"),
  },
  {
    name: "lag",
    label: "Lag",
    width: 7,
    align: "end",
    doc: "Age of the oldest change that may not have been delivered yet",
    show: ({ lag_seconds }) => (lag_seconds === 0 ? "none" : durationText(lag_seconds)),
  },
  {
    name: "held",
    label: "Held",
    width: 5,
    align: "end",
    doc: "Records whose events are held until a failed one is delivered",
    show: ({ held }) => whole(held),
    tone: ({ held }) => (held > 0 ? "down" : undefined),
  },
  { name: "delivered", label: "Delivered", width: 9, align: "end", show: ({ delivered }) => whole(delivered) },
  {
    name: "last",
    label: "Last attempt",
    width: 30,
    show: ({ last_delivery: last }) =>
      last === null ? "none" : `${last.status ?? "no response"}, ${timestampText(last.at)}`,
    tone: ({ last_delivery: last }) => (last === null || isSuccess(last.status) ? undefined : "down"),
  },
  {
    name: "retry",
    label: "Next retry",
    width: 24,
    show: ({ retry_at }) => (retry_at === "" ? "" : timestampText(retry_at)),
  },
];

const deliveryColumns: readonly Column<Delivery>[] = [
  { name: "at", label: "Time", width: 24, show: ({ at }) => timestampText(at) },
  { name: "event", label: "Event", width: 22, show: ({ event }) => event },
  {
    name: "status",
    label: "Status",
    width: 11,
    align: "end",
    show: ({ status }) => status ?? "no response",
    tone: ({ status }) => (isSuccess(status) ? "up" : "down"),
  },
  { name: "attempt", label: "Attempt", width: 7, align: "end", show: ({ attempt }) => whole(attempt) },
  {
    name: "milliseconds",
    label: "Duration",
    width: 9,
    align: "end",
    show: ({ milliseconds }) => `${whole(milliseconds)} ms`,
  },
  { name: "response", label: "Response", width: 40, grow: true, show: ({ response }) => response },
  { name: "id", label: "ID", width: 30, show: ({ id }) => id },
];
