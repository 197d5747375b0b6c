// Operator view: data freshness, usage, rate limiting, the mirror, streams, webhooks, and API keys.
import { recordsOf } from "../../api/client.ts";
import { useDocument } from "../../api/document.ts";
import { commandText, today as dayNow } from "../../api/settings.ts";
import { useLocation } from "../../app/location.ts";
import { useShortcuts } from "../../app/shortcuts.ts";
import { callOf, isSettled, useDataSource } from "../../parts/data-source.ts";
import { Frame } from "../../parts/frame.tsx";
import { Notice } from "../../parts/notice.tsx";
import { useRefresh } from "../../parts/refresh.ts";
import { type Key, keysRequest, type Status, statusRequest, type Usage, usageRequest } from "./administration.ts";
import { FreshnessSection } from "./freshness-section.tsx";
import { KeysSection } from "./keys-section.tsx";
import { LimitsSection } from "./limits-section.tsx";
import { deliveriesRequest, streamsRequest, webhooksRequest } from "./live/requests.ts";
import { StreamsSection } from "./live/streams-section.tsx";
import { WebhooksSection } from "./live/webhooks-section.tsx";
import { MirrorSection } from "./mirror-section.tsx";
import { daysOf, UsageSection } from "./usage-section.tsx";
import "./operator.css";

const refreshMs = 30_000;

function useSources(query: URLSearchParams, today: string) {
  const document = useDocument();
  return {
    status: useDataSource("Status", statusRequest),
    usage: useDataSource("Usage", usageRequest(today, daysOf(query.get("days")))),
    keys: useDataSource("Keys", keysRequest),
    streams: useDataSource("Streams", streamsRequest(document)),
    webhooks: useDataSource("Webhooks", webhooksRequest(document)),
    deliveries: useDataSource("Deliveries", deliveriesRequest(document, query.get("webhook") ?? "")),
  };
}

export function OperatorView() {
  const { query } = useLocation();
  const today = dayNow();
  const sources = useSources(query, today);
  const required = [sources.status, sources.usage, sources.keys];
  const refetch = () => {
    for (const { request, result } of Object.values(sources)) if (request !== undefined) result.refetch();
  };
  const failures = required.map(({ result }) => result.failure);
  const shared = failures.find((failure) => failure?.kind === "key" || failure?.kind === "forbidden");
  const isMissing = failures.every((failure) => failure?.status === 404);
  useRefresh(refetch, refreshMs, shared === undefined && !isMissing);
  useShortcuts([{ keys: "r", description: "refresh", run: refetch }]);
  const serverStatus = sources.status.result.response?.body as Status | undefined;
  return (
    <Frame
      title="Operator"
      about={serverStatus === undefined ? undefined : aboutServer(serverStatus)}
      calls={Object.values(sources).flatMap(callOf)}
      actions={
        <button type="button" onClick={refetch} title="Refresh (r)">
          Refresh
        </button>
      }
    >
      {isMissing ? (
        <NoAdminApi />
      ) : shared !== undefined ? (
        <>
          <p class="operator-scope">
            This view requires a key with the scope <code>admin</code>. Create one with{" "}
            <code>{commandText("keys create --name NAME --scope admin")}</code>.
          </p>
          <Notice failure={shared} refetch={refetch} />
        </>
      ) : (
        <Sections sources={sources} status={serverStatus} today={today} days={daysOf(query.get("days"))} />
      )}
    </Frame>
  );
}

type SectionsProps = {
  readonly sources: ReturnType<typeof useSources>;
  readonly status: Status | undefined;
  readonly today: string;
  readonly days: number;
};

/** One after the other, so that none is moved by another one above it. */
function Sections({ sources, status: serverStatus, today, days }: SectionsProps) {
  const { status, usage, keys, streams, webhooks, deliveries } = sources;
  const used = recordsOf<Usage>(usage.result.response?.body);
  return (
    <div class="operator">
      <div class="operator-server">
        <FreshnessSection source={status} status={serverStatus} />
        <div class="operator-side">
          {isSettled(status) && <MirrorSection source={status} status={serverStatus} />}
          {isSettled(status, usage) && <LimitsSection source={usage} usage={used} days={days} />}
        </div>
      </div>
      {isSettled(status, usage) && <UsageSection source={usage} usage={used} today={today} days={days} />}
      {isSettled(status, usage) && (
        <KeysSection
          source={keys}
          keys={recordsOf<Key>(keys.result.response?.body)}
          now={serverStatus?.now}
          onChanged={keys.result.refetch}
        />
      )}
      {streams.request !== undefined && isSettled(status, usage, keys) && <StreamsSection source={streams} />}
      {webhooks.request !== undefined && isSettled(status, usage, keys, streams) && (
        <WebhooksSection source={webhooks} deliveries={deliveries} />
      )}
    </div>
  );
}

const databases: Readonly<Record<string, string>> = { sqlite: "SQLite", postgres: "PostgreSQL" };

const aboutServer = ({ version, database, zone }: Status): string =>
  [`Bellwire ${version}`.trim(), databases[database.kind] ?? database.kind, zone.replace("_", " ")].join(" · ");

function NoAdminApi() {
  return (
    <p class="empty">
      The admin API isn’t available here. The server may be an older version, or it may serve the admin API on a
      separate port (<code>--admin-port</code>).
    </p>
  );
}
