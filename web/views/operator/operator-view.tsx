// The server as its operator sees it: how fresh it is, who uses it, which limits are met, the mirror, and its keys.
import { recordsOf } from "../../api/client.ts";
import { today as dayNow } from "../../api/settings.ts";
import { usePlace } from "../../app/location.ts";
import { useShortcuts } from "../../app/shortcuts.ts";
import { Frame } from "../../parts/frame.tsx";
import { Notice } from "../../parts/notice.tsx";
import { callOf, usePart } from "../../parts/part.ts";
import { useRefresh } from "../../parts/refresh.ts";
import { type Key, keysRequest, type Status, statusRequest, type Usage, usageRequest } from "./administration.ts";
import { FreshnessSection } from "./freshness-section.tsx";
import { KeysSection } from "./keys-section.tsx";
import { LimitsSection } from "./limits-section.tsx";
import { MirrorSection } from "./mirror-section.tsx";
import { daysOf, UsageSection } from "./usage-section.tsx";
import "./operator.css";

const refreshMs = 30_000;

export function OperatorView() {
  const { query } = usePlace();
  const today = dayNow();
  const days = daysOf(query.get("days"));
  const status = usePart("Status", statusRequest);
  const usage = usePart("Usage", usageRequest(today, days));
  const keys = usePart("Keys", keysRequest);
  const parts = [status, usage, keys];
  const again = () => {
    for (const { asked } of parts) asked.again();
  };
  const failures = parts.map(({ asked }) => asked.failure);
  const shared = failures.find((failure) => failure?.kind === "key" || failure?.kind === "forbidden");
  const isAbsent = failures.every((failure) => failure?.status === 404);
  useRefresh(again, refreshMs, shared === undefined && !isAbsent);
  useShortcuts([{ keys: "r", does: "ask again", run: again }]);
  const used = recordsOf<Usage>(usage.asked.answer?.body);
  const stand = status.asked.answer?.body as Status | undefined;
  return (
    <Frame
      title="Operator"
      about={stand === undefined ? undefined : aboutServer(stand)}
      calls={parts.flatMap(callOf)}
      actions={
        <button type="button" onClick={again} title="Ask again (r)">
          Refresh
        </button>
      }
    >
      {isAbsent ? (
        <NoAdministration />
      ) : shared !== undefined ? (
        <>
          <p class="operator-scope">
            This view is for keys with the scope <code>admin</code>. One is made with{" "}
            <code>bellwire keys create --name NAME --scope admin</code>.
          </p>
          <Notice failure={shared} again={again} />
        </>
      ) : (
        <div class="operator">
          <div class="operator-server">
            <FreshnessSection part={status} status={stand} />
            <div class="operator-beside">
              <MirrorSection part={status} status={stand} />
              <LimitsSection part={usage} usage={used} days={days} />
            </div>
          </div>
          <UsageSection part={usage} usage={used} today={today} days={days} />
          <KeysSection
            part={keys}
            keys={recordsOf<Key>(keys.asked.answer?.body)}
            now={stand?.now}
            onChanged={keys.asked.again}
          />
        </div>
      )}
    </Frame>
  );
}

const databases: Readonly<Record<string, string>> = { sqlite: "SQLite", postgres: "PostgreSQL" };

const aboutServer = ({ version, database, zone }: Status): string =>
  [`Bellwire ${version}`.trim(), databases[database.kind] ?? database.kind, zone.replace("_", " ")].join(" · ");

function NoAdministration() {
  return (
    <p class="empty">
      This server has no administration API here. It is an older one, or it serves its administration on a port of its
      own (<code>--admin-port</code>).
    </p>
  );
}
