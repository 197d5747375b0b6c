// A server with the built page and demo data around a fixed day, which can be stopped and restarted.
import assert from "node:assert/strict";
import { once } from "node:events";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type DemoResource, demoRecords, demoResources } from "../../../demo/demo.ts";
import { printFieldError, validateRecord } from "../../../src/core/record/validate.ts";
import { openapi } from "../../../src/docs/openapi/openapi.ts";
import { createLog } from "../../../src/http/observe/log.ts";
import { buildServer, type Server } from "../../../src/http/server.ts";
import { generateKey, hashKey } from "../../../src/keys/key.ts";
import { openSqlite } from "../../../src/open-sqlite.ts";
import { command } from "../../../src/package.ts";
import { catalog } from "../../../src/resources/catalog.ts";
import { extensions } from "../../../src/resources/lists/extensions.ts";
import type { IncomingRow, Store } from "../../../src/store/store.ts";
import { pageFolder } from "../../../src/web-files.ts";

/** A Wednesday, 8 p.m. in New York. */
export const today = "2026-06-17";
export const now = Date.parse("2026-06-17T20:00:00-04:00") / 1000;

export type Service = {
  readonly origin: string;
  readonly store: Store;
  /** With the `read` scope. */
  readonly key: string;
  makeKey(name: string, scopes: readonly string[]): Promise<string>;
  has(resource: string, records: readonly object[]): Promise<void>;
  /** Closes all connections and stops listening. */
  goAway(): Promise<void>;
  comeBack(): Promise<void>;
  close(): Promise<void>;
};

export type ServiceOptions = {
  /** Resources with demo data; all by default. */
  readonly demo?: readonly DemoResource[];
  /** Days of demo data before and after the day. */
  readonly days?: number;
  /** Changes the OpenAPI document that is served. */
  readonly describe?: (document: object) => object;
  /** Folder of the built page, whenever the server starts. */
  readonly folder?: () => string;
};

export async function pageService(options: ServiceOptions = {}): Promise<Service> {
  const {
    demo = demoResources,
    days = 21,
    describe = (document) => document,
    folder: builtPage = () => pageFolder,
  } = options;
  assert.ok(existsSync(join(pageFolder, "index.html")), "the page is not built: npm run page");
  const folder = mkdtempSync(join(tmpdir(), "bellwire-page-"));
  const database = join(folder, "test.db");
  const store = openSqlite({ file: database, now: () => now });
  await store.prepare();
  const has: Service["has"] = async (name, records) => {
    const resource = catalog.find((each) => each.name === name);
    assert.ok(resource !== undefined, name);
    const rows = records.map((record): IncomingRow => {
      const accepted = validateRecord(resource, record, now);
      assert.ok("row" in accepted, "row" in accepted ? "" : accepted.errors.map(printFieldError).join("; "));
      return accepted;
    });
    for (let at = 0; at < rows.length; at += 1000) await store.put(resource, rows.slice(at, at + 1000));
  };
  for (const name of demo) await has(name, demoAround(name, days));
  const makeNamed: Service["makeKey"] = async (name, scopes) => {
    const key = generateKey();
    await store.addKey({ name, hash: hashKey(key), licenses: [], scopes, expires: "", created: now });
    return key;
  };
  let server: Server | undefined;
  const build = () =>
    buildServer({
      catalog,
      extensions,
      store,
      log: createLog("silent"),
      openapi: describe(openapi(catalog, { version: "1.2.3" }, extensions)),
      pageFolder: builtPage(),
      info: { version: "1.2.3", started: now, database: "sqlite", setup: { command, database } },
      now: () => now,
    });
  const comeBack = async () => {
    server = await build();
    await server.app.listen({ host, port });
  };
  const goAway = async () => {
    server?.app.server.closeAllConnections();
    await server?.app.close();
    server = undefined;
  };
  const key = await makeNamed("reader", ["read"]);
  const port = await freePort();
  await comeBack();
  return {
    origin: `http://${host}:${port}`,
    store,
    key,
    makeKey: makeNamed,
    has,
    goAway,
    comeBack,
    close: async () => {
      await goAway();
      await store.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

const host = "127.0.0.1";

/** Below those that systems hand out, so that no other process gets it while the server is away. */
async function freePort(): Promise<number> {
  for (;;) {
    const port = 11_000 + Math.floor(Math.random() * 20_000);
    const probe = createServer().listen(port, host);
    const isFree = await once(probe, "listening").then(
      () => true,
      () => false,
    );
    if (!isFree) continue;
    probe.close();
    await once(probe, "close");
    return port;
  }
}

/** Generated once in a process: several files use the same records. */
const generated = new Map<string, object[]>();

function demoAround(name: DemoResource, days: number): object[] {
  const records = generated.get(`${name} ${days}`) ?? generateAround(name, days);
  generated.set(`${name} ${days}`, records);
  return records;
}

function generateAround(name: DemoResource, days: number): object[] {
  const near = (day: string): boolean => Math.abs(Date.parse(day) - Date.parse(today)) <= days * 86_400_000;
  const from = new Date(Date.parse(today) - (days + 1) * 86_400_000).toISOString().slice(0, 10);
  return demoRecords(name, { today, now, from })
    .filter(({ date, created }) => near(typeof date === "string" ? date : dayOf(created)))
    .toArray();
}

const dayOf = (created: unknown): string =>
  new Date(typeof created === "number" ? created * 1000 : String(created)).toISOString().slice(0, 10);
