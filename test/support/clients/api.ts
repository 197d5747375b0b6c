// A complete service for a test: a real store in a fresh file, the real application, and a key.
import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { rmSync } from "node:fs";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Readable } from "node:stream";
import inject from "light-my-request";
import { bulkFiles } from "../../../src/bulk/files.ts";
import { writeBulkFile } from "../../../src/bulk/write.ts";
import type { Resource } from "../../../src/core/catalog/resource.ts";
import { printFieldError, validateRecord } from "../../../src/core/record/validate.ts";
import { servedReference } from "../../../src/docs/llms.ts";
import { openapi } from "../../../src/docs/openapi/openapi.ts";
import { createLog } from "../../../src/http/observe/log.ts";
import { defaultExportLimits, type ExportLimits } from "../../../src/http/protection/export-slots.ts";
import { defaultLargePageLimits } from "../../../src/http/protection/large-page-queue.ts";
import type { WriteLimits } from "../../../src/http/routes/records.ts";
import { buildServer, type ServerOptions } from "../../../src/http/server.ts";
import { generateKey, hashKey } from "../../../src/keys/key.ts";
import { catalog } from "../../../src/resources/catalog.ts";
import { compatTable } from "../../../src/resources/compat/compat.ts";
import { extensions } from "../../../src/resources/lists/extensions.ts";
import { isPostgres } from "../../../src/settings/setting.ts";
import type { KeyRow, Outcome, RenderingSettings, Store } from "../../../src/store/store.ts";
import { openTestStore, sqliteDatabase } from "../stores/stores.ts";
import { type EventStream, openStream } from "./event-stream.ts";

// biome-ignore lint/suspicious/noExplicitAny: tests access responses freely.
export type Body = any;
export type RecordInput = Readonly<Record<string, unknown>>;

export type ApiResponse = {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly text: string;
  readonly bytes: Buffer;
  readonly json: Body;
};

export type Api = {
  readonly store: Store;
  /** The database, as a command's --database names it. */
  readonly file: string;
  /** Every logged line. */
  readonly log: readonly string[];
  readonly bulkDirectory: string;
  /** Imports records; missing required fields are filled with the field's example. */
  has(resource: string, records: readonly RecordInput[]): Promise<readonly Outcome[]>;
  /** Why a record is rejected; empty if it is accepted. */
  rejections(resource: string, record: unknown): string[];
  /** A GET with a valid token that must succeed; returns the parsed body. */
  get(url: string, headers?: Record<string, string>): Promise<Body>;
  /** IDs in the response, in order. */
  ids(url: string): Promise<(string | number)[]>;
  /** A GET with a valid token that must fail with 400; returns its errors. */
  errors(url: string): Promise<{ parameter: string; given: string; expected: string }[]>;
  /** Any request, as is: no token is added. */
  request(
    url: string,
    options?: { method?: string; headers?: Record<string, string>; body?: string | Buffer | Readable },
  ): Promise<ApiResponse>;
  /** A GET with a valid token. */
  fetch(url: string, headers?: Record<string, string>): Promise<ApiResponse>;
  /** Creates a key and returns it. */
  key(terms?: Partial<Omit<KeyRow, "hash">>): Promise<string>;
  readonly token: string;
  /** Unix seconds, and monotonic milliseconds for rate limits. */
  clock: { now: number; ticks: number };
  /** Opens a stream with a valid token, unless the headers have another. */
  stream(url: string, headers?: Record<string, string>): Promise<EventStream>;
  /** Starts to listen, for clients that need a real connection. */
  port(): Promise<number>;
  /** Stops accepting requests, and ends streams. */
  drain(): Promise<void>;
  close(): Promise<void>;
};

export type ApiOptions = {
  readonly rendering?: RenderingSettings;
  readonly corsOrigins?: readonly string[];
  /** Size of the response cache; by default enough for a few pages. */
  readonly cacheBytes?: number;
  /** Prefix of key names; two services on one database need different ones. */
  readonly keyNames?: string;
  readonly writeLimits?: Partial<WriteLimits>;
  readonly metricsOpen?: boolean;
  /** Whether all keys are served as clients of other implementations expect. */
  readonly compat?: boolean;
  /** Concurrent reads per key; by default as in production. */
  readonly keyConcurrency?: number;
  /** Of exports; by default as in production. */
  readonly exports?: Partial<ExportLimits>;
  /** Open streams per key; by default as in production. */
  readonly keyStreams?: number;
  readonly streamNewsForm?: ServerOptions["streamNewsForm"];
  /** Timer of streams; by default a real one. */
  readonly every?: ServerOptions["every"];
  /** Invalid tokens per address and minute; unlimited by default. */
  readonly wrongTokens?: number;
  /** Replicas of a PostgreSQL database. */
  readonly replicas?: readonly string[];
  /** Maximum staleness while the primary is down; unlimited by default. */
  readonly maxStalenessSeconds?: number;
  /** How long a probe of a PostgreSQL server may take before responses report staleness; by default longer than any test. */
  readonly lateMs?: number;
  /** Age up to which an outdated bulk file is served; 0 by default. */
  readonly bulkSeconds?: number;
  readonly asyncapi?: object;
  /** A SQLite file or a URL; a fresh file by default. */
  readonly database?: string;
  /** Another catalog, without extensions, and how to open a database with it. */
  readonly other?: { readonly catalog: readonly Resource[]; open(database: string, now: () => number): Promise<Store> };
};

export const resourceNamed = (name: string, among: readonly Resource[] = catalog): Resource => {
  const found = among.find((resource) => resource.name === name);
  assert.ok(found, `no resource ${name}`);
  return found;
};

/** The time of import in tests, unless the test moves the clock: 2026-01-15 12:00 UTC. */
export const testNow = 1_768_478_400;

/** Shared by all services under test, since it takes longer to create than the rest. */
export const document = openapi(catalog, { version: "0.0.0" }, extensions, compatTable);

export async function startApi(options: ApiOptions = {}): Promise<Api> {
  const own = options.database === undefined ? sqliteDatabase() : undefined;
  const file = options.database ?? own?.name ?? "";
  const clock = { now: testNow, ticks: 0 };
  const { other } = options;
  const served = other?.catalog ?? catalog;
  const now = () => clock.now;
  const store = await (other?.open(file, now) ??
    openTestStore(file, now, options.replicas, options.maxStalenessSeconds, options.lateMs));
  await store.render(options.rendering ?? {});
  const log: string[] = [];
  // Created when the first file is.
  const bulkDirectory = join(tmpdir(), `bellwire-bulk-${randomUUID()}`);
  const { app, handle, drain } = await buildServer({
    catalog: served,
    extensions: other === undefined ? extensions : [],
    store,
    log: createLog("info", { write: (line) => log.push(line) }),
    reference: async () => servedReference(catalog, extensions, compatTable),
    openapi: other === undefined ? document : openapi(served, { version: "0.0.0" }, []),
    ...(options.asyncapi === undefined ? {} : { asyncapi: options.asyncapi }),
    now,
    ticks: () => clock.ticks,
    compatTable: other === undefined ? compatTable : new Map(),
    compat: options.compat ?? false,
    cacheBytes: options.cacheBytes ?? 1024 * 1024,
    wrongTokens: options.wrongTokens ?? 0,
    info: {
      version: "0.0.0",
      started: testNow,
      database: isPostgres(file) ? "postgres" : "sqlite",
      metricsOpen: options.metricsOpen ?? false,
    },
    // Injected requests run within one event-loop iteration, which would count as lag; and no request may be rejected
    // because the machine is busy.
    protection: {
      lagMs: 0,
      largePages: { ...defaultLargePageLimits, timeoutMs: 600_000 },
      // Small chunks, so that small exports have several.
      exports: { ...defaultExportLimits, timeoutMs: 600_000, chunkRecords: 7, ...options.exports },
      ...(options.keyConcurrency === undefined ? {} : { keyConcurrency: options.keyConcurrency }),
      ...(options.keyStreams === undefined ? {} : { keyStreams: options.keyStreams }),
    },
    bulk: bulkFiles({
      directory: bulkDirectory,
      maxAgeSeconds: options.bulkSeconds ?? 0,
      store,
      now,
      write: (resource, format, file) => writeBulkFile(store, resource, format, file),
    }),
    // Receivers of tests are on this machine.
    webhookNetworks: ["127.0.0.1"],
    ...(options.every === undefined ? {} : { every: options.every }),
    ...(options.streamNewsForm === undefined ? {} : { streamNewsForm: options.streamNewsForm }),
    ...(options.corsOrigins === undefined ? {} : { corsOrigins: options.corsOrigins }),
    ...(options.writeLimits === undefined ? {} : { writeLimits: options.writeLimits }),
  });
  await app.ready();
  let made = 0;
  const key: Api["key"] = async (terms = {}) => {
    const secret = generateKey();
    made++;
    const name = `${options.keyNames ?? "test"}-${made}`;
    await store.addKey({ name, created: clock.now, ...terms, hash: hashKey(secret) });
    return secret;
  };
  const token = await key({ licenses: ["cusip"] });
  const request: Api["request"] = async (url, { method = "GET", headers = {}, body } = {}) => {
    const reply = await inject(handle, {
      url,
      method: method as "GET",
      headers,
      ...(body === undefined ? {} : { payload: body }),
    });
    const text = reply.rawPayload.toString("utf8");
    return {
      status: reply.statusCode,
      headers: reply.headers as Record<string, string | undefined>,
      text,
      bytes: reply.rawPayload,
      get json() {
        return JSON.parse(text) as Body;
      },
    };
  };
  const response: Api["fetch"] = (url, headers = {}) =>
    request(url, { headers: { authorization: `Bearer ${token}`, ...headers } });
  const get: Api["get"] = async (url, headers) => {
    const found = await response(url, headers);
    assert.equal(found.status, 200, `${url} returned ${found.status}: ${found.text}`);
    return found.json;
  };
  let listening: Promise<number> | undefined;
  const listen = async (): Promise<number> => {
    await app.listen({ host: "127.0.0.1", port: 0 });
    return (app.server.address() as AddressInfo).port;
  };
  const port = (): Promise<number> => {
    listening ??= listen();
    return listening;
  };
  return {
    port,
    stream: async (url, headers = {}) =>
      openStream(await port(), url, { authorization: `Bearer ${token}`, ...headers }),
    drain,
    store,
    file,
    log,
    bulkDirectory,
    token,
    clock,
    key,
    request,
    fetch: response,
    get,
    has: async (name, records) => {
      const resource = resourceNamed(name, served);
      const rows = records.map((record) => {
        const accepted = validateRecord(resource, { ...requiredOf(resource), ...record }, clock.now);
        assert.ok("row" in accepted, `rejected: ${"errors" in accepted ? accepted.errors.map(printFieldError) : ""}`);
        return accepted;
      });
      return store.put(resource, rows);
    },
    rejections: (name, record) => {
      const accepted = validateRecord(resourceNamed(name, served), record, clock.now);
      return "errors" in accepted ? accepted.errors.map(printFieldError) : [];
    },
    ids: async (url) => recordsOf(await get(url)).map((record) => record.id as string | number),
    errors: async (url) => {
      const found = await response(url);
      assert.equal(found.status, 400, `${url} returned ${found.status}: ${found.text.slice(0, 200)}`);
      assert.equal(found.json.code, "request.parameters");
      return found.json.errors;
    },
    close: async () => {
      await app.close();
      await store.close();
      await own?.release();
      rmSync(bulkDirectory, { recursive: true, force: true });
    },
  };
}

/** The records of a response, whatever its envelope. */
export function recordsOf(body: Body): Body[] {
  return Array.isArray(body) ? body : (Object.values(body)[0] as Body[]);
}

function requiredOf(resource: Resource): RecordInput {
  const required = Object.entries(resource.fields).filter(([name, field]) => field.required && name !== "id");
  return Object.fromEntries(required.map(([name, field]) => [name, field.example]));
}
