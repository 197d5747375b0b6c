// `serve`: opens the store, fills an empty one with demo data, listens, and stops with grace.
import { listOf } from "../config.ts";
import type { Rendering } from "../core/field.ts";
import { localDay } from "../core/zone.ts";
import { demoRecords, demoResources } from "../demo/demo.ts";
import { openapi } from "../docs/openapi.ts";
import { type LogLevel, makeLog } from "../http/log.ts";
import { buildServer } from "../http/server.ts";
import { importRecords } from "../ingest/import.ts";
import { progress } from "../ingest/progress.ts";
import { catalog } from "../resources/catalog.ts";
import type { Store } from "../store/store.ts";
import { version } from "../version.ts";
import { type Command, complain, openStore, resourceNamed, say } from "./command.ts";
import { createKey } from "./keys.ts";

export const serveCommand: Command = {
  usage: "serve",
  help: "serves the API; on an empty database it first loads demo data and makes a key, unless --no-demo",
  settings: ["database", "host", "port", "demo", "zone", "calendar-cusip", "cors-origins", "log-level", "stop-seconds"],
  run: async ({ config }) => {
    const log = makeLog(config.get("log-level") as LogLevel);
    const store = openStore(config);
    const zone = config.given("zone");
    const cusip = config.given("calendar-cusip") as Rendering["cusip"] | undefined;
    const rendered = await store.render({
      ...(zone === undefined ? {} : { zone }),
      ...(cusip === undefined ? {} : { cusip }),
    });
    if (rendered > 0) complain(`rendered ${rendered} records again for the new settings`);
    const demoKey = config.get("demo") === "true" ? await loadDemo(store) : undefined;

    const server = await buildServer({
      catalog,
      store,
      log,
      openapi: openapi(catalog, { version }),
      corsOrigins: listOf(config.get("cors-origins")),
    });
    await server.app.listen({ host: config.get("host"), port: Number(config.get("port")) });
    const address = addressOf(server.app.server.address(), config.get("host"));
    await greet(store, address, demoKey);
    say(`listening on ${address}`);

    await stopSignal();
    server.drain();
    const limit = setTimeout(() => server.app.server.closeAllConnections(), Number(config.get("stop-seconds")) * 1000);
    await server.app.close();
    clearTimeout(limit);
    await store.close();
    return 0;
  },
};

/** Loads the demo into an empty database, or goes on where a killed start left off. Gives the demo key when it is new. */
async function loadDemo(store: Store): Promise<string | undefined> {
  const begun = await store.note("demo");
  if (begun === "done" || (begun === undefined && !(await store.isEmpty()))) return undefined;
  const { rendering } = await store.state();
  const now = Math.floor(Date.now() / 1000);
  // The day is remembered, so that a second start makes the same records as the first.
  const today = begun ?? localDay(rendering.zone, now);
  if (begun === undefined) await store.setNote("demo", today);
  complain("The database is empty: loading demo data (--no-demo starts without).");
  const bar = progress(process.stderr, "demo", undefined);
  let records = 0;
  for (const name of demoResources) {
    const before = records;
    await importRecords(store, resourceNamed(name), batches(name, today), {
      now,
      onRefused: (line, reasons) => {
        throw new Error(`demo record ${line} of ${name} was refused: ${reasons.join("; ")}`);
      },
      onBatch: ({ read }) => {
        records = before + read;
        bar.update({ bytes: 0, records });
      },
    });
  }
  bar.end();
  complain(`Loaded ${records} demo records.`);
  const taken = (await store.listKeys()).some(({ name, revoked }) => name === "demo" && revoked === undefined);
  if (taken) await store.revokeKey("demo", now);
  const key = await createKey(store, "demo", { licenses: ["cusip"], expires: "" });
  await store.setNote("demo", "done");
  return key;
}

function* batches(name: (typeof demoResources)[number], today: string) {
  let line = 0;
  for (const value of demoRecords(name, { today })) yield [{ line: ++line, value }];
}

async function greet(store: Store, address: string, demoKey: string | undefined): Promise<void> {
  if (demoKey !== undefined) {
    say(`\ndemo key (shown only now): ${demoKey}\n\ntry: curl '${address}/api/v2/news?token=${demoKey}&pageSize=3'\n`);
  } else if (!(await store.listKeys()).some(({ revoked }) => revoked === undefined)) {
    say("no key can be used yet; make one with: bellwire keys create --name NAME");
  } else {
    say("keys are shown only once; another is made with: bellwire keys create --name NAME");
  }
  say(`reference: ${address}/docs`);
}

function addressOf(address: unknown, host: string): string {
  const port = typeof address === "object" && address !== null ? (address as { port: number }).port : 0;
  return `http://${host.includes(":") ? `[${host}]` : host}:${port}`;
}

function stopSignal(): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of ["SIGTERM", "SIGINT"] as const) process.once(signal, () => resolve());
  });
}
