// Information about the running server for the status and metrics endpoints.
import type { Config } from "../../config.ts";
import type { ServerInfo } from "../../http/routes/status.ts";
import { command, version } from "../../package.ts";
import { catalog } from "../../resources/catalog.ts";
import { databaseSettings } from "../../settings/database.ts";
import { isPostgres } from "../../settings/setting.ts";
import type { Store } from "../../store/store.ts";

const now = (): number => Math.floor(Date.now() / 1000);

export function serverInfo(config: Config, store: Store, siblings: ServerInfo["siblings"]): ServerInfo {
  const database = config.get("database");
  const isPlain = isPostgres(database) || database === databaseSettings.database.fallback;
  return {
    version,
    started: now(),
    database: isPostgres(database) ? "postgres" : "sqlite",
    setup: { command, ...(isPlain ? {} : { database }) },
    metricsOpen: config.get("metrics-open") === "true",
    mirror: async () => {
      // Most servers are not mirrors, so this is loaded only when requested.
      const [{ mirrorStatus }, { mirrorMetrics }] = await Promise.all([
        import("../../mirror/status.ts"),
        import("../../mirror/metrics.ts"),
      ]);
      const status = await mirrorStatus(store, catalog, now());
      return status === undefined ? undefined : { status, families: mirrorMetrics(status) };
    },
    ...(siblings === undefined ? {} : { siblings }),
  };
}
