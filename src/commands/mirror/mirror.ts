// `mirror`: fills a database from an upstream and follows it; `mirror status` shows its state.
import { type Config, configure, environmentName, type SettingName, settings, UsageError } from "../../config.ts";
import { progress } from "../../ingest/progress.ts";
import { aggregate, exposition } from "../../metrics/family.ts";
import { mirrorMetrics } from "../../mirror/metrics.ts";
import { mirror } from "../../mirror/mirror.ts";
import { mirrorStatus } from "../../mirror/status.ts";
import { DatabaseMismatchError } from "../../mirror/upstream/origin.ts";
import { catalog } from "../../resources/catalog.ts";
import { type Command, type Option, print, printError } from "../command.ts";
import { openStore, withStore } from "../shared/open-store.ts";
import { stopSignal } from "../shared/stop-signal.ts";
import { type MirrorSetting, mirrorOptions } from "./options.ts";
import { printStatus } from "./status.ts";

/** Short flags of the command and the settings they stand for. */
const shortFlags = {
  token: "mirror-token",
  "token-in": "mirror-token-in",
  resources: "mirror-resources",
  from: "mirror-from",
  budget: "mirror-budget",
  every: "mirror-every",
  via: "mirror-via",
  "recheck-days": "mirror-recheck-days",
  learn: "mirror-learn",
} as const satisfies Record<string, MirrorSetting>;

const shortFlag = (name: SettingName): string =>
  Object.entries(shortFlags).find(([, setting]) => setting === name)?.[0] ?? name;

export const mirrorCommand: Command = {
  maxArgs: 1,
  settings: ["database"],
  options: {
    ...Object.fromEntries(
      Object.entries(shortFlags).map(([flag, name]): [string, Option] => {
        const { value, help, fallback } = settings[name];
        const words = help.replace(/^mirror: /, "");
        const text = `${words}${fallback === "" ? "" : ` [${fallback}]`}\n      environment: ${environmentName(name)}`;
        return [flag, { value, help: text }];
      }),
    ),
    once: { help: "exit when everything is mirrored, including changes during the run" },
    adopt: { help: "treat existing records, including those of another upstream, as this upstream's" },
    json: { help: "status: print JSON" },
    metrics: { help: "status: print metrics in the Prometheus text format" },
  },
  run: async ({ args: [word], options, config: commandConfig }) => {
    if (word === "status") return status(commandConfig, options);
    if (word !== undefined && !settings.mirror.check(word)) {
      throw new UsageError(`BASE_URL: expected ${settings.mirror.expected}`);
    }
    const config = configure({ ...options, mirror: word }, process.env, shortFlag);
    // Every invalid setting is reported before anything is done.
    for (const name of Object.values(shortFlags)) config.provided(name);
    return run(config, options.once === true, options.adopt === true);
  },
};

async function run(config: Config, once: boolean, adopt: boolean): Promise<number> {
  const options = mirrorOptions(config);
  if (options === undefined) throw new UsageError(`BASE_URL: expected ${settings.mirror.expected}, got nothing`);
  const stopped = new AbortController();
  void stopSignal().then(() => stopped.abort());
  // By name, which excludes replicas: they may not have what was just written.
  const store = await openStore(config, "create", "database", config.get("database"));
  const bar = progress(process.stderr, `mirror of ${options.base.host}`);
  let records = 0;
  try {
    await store.prepare();
    const failures = await mirror({
      ...options,
      store,
      batchSize: 2000,
      once,
      adopt,
      signal: stopped.signal,
      log: (text) => printError(`mirror: ${text}`),
      onIngested: (count) => {
        records += count;
        bar.update({ records });
      },
    });
    bar.end();
    if (once && !stopped.signal.aborted) print(await summary());
    for (const failure of failures) printError(`mirror: failed: ${failure}`);
    return failures.length > 0 ? 1 : 0;
  } catch (error) {
    if (error instanceof DatabaseMismatchError) throw new UsageError(`--database: ${error.message}`);
    throw error;
  } finally {
    bar.end();
    await store.close();
  }

  async function summary(): Promise<string> {
    const known = await mirrorStatus(store, catalog, Math.floor(Date.now() / 1000));
    const lines = known?.resources.map(
      ({ resource, records: count, counts, failing }) =>
        `${resource}: ${count} records, refused ${counts.refused}${failing ? ", failed" : ""}`,
    );
    return lines?.join("\n") ?? "";
  }
}

async function status(config: Config, options: Readonly<Record<string, unknown>>): Promise<number> {
  return withStore(
    config,
    async (store) => {
      const now = Math.floor(Date.now() / 1000);
      const known = await mirrorStatus(store, catalog, now);
      if (known === undefined) {
        printError("this database is not a mirror; make it one with: bellwire mirror BASE_URL");
        return 1;
      }
      if (options.json === true) print(JSON.stringify(known, null, 2));
      else if (options.metrics === true) process.stdout.write(await exposition(aggregate([mirrorMetrics(known)])));
      else print(printStatus(known, now));
      return 0;
    },
    "must exist",
  );
}
