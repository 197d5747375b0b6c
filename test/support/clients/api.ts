// A whole service for a test: a real store in a file of its own, the real application, and a key.
import assert from "node:assert/strict";
import type { Readable } from "node:stream";
import inject from "light-my-request";
import type { Resource } from "../../../src/core/catalog/resource.ts";
import { accept, printRefusal } from "../../../src/core/record/validate.ts";
import { openapi } from "../../../src/docs/openapi.ts";
import { makeLog } from "../../../src/http/observe/log.ts";
import { defaultLargePageLimits } from "../../../src/http/protection/large-page-queue.ts";
import type { WriteLimits } from "../../../src/http/routes/records.ts";
import { buildServer } from "../../../src/http/server.ts";
import { generateKey, hashKey } from "../../../src/keys/key.ts";
import { catalog } from "../../../src/resources/catalog.ts";
import { extensions } from "../../../src/resources/lists/extensions.ts";
import { isPostgres } from "../../../src/settings/setting.ts";
import type { KeyRow, Outcome, RenderingSettings, Store } from "../../../src/store/store.ts";
import { openTestStore, sqliteDatabase } from "../stores/stores.ts";

// biome-ignore lint/suspicious/noExplicitAny: tests look into answers freely.
export type Body = any;
export type Given = Readonly<Record<string, unknown>>;

export type Answer = {
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
  /** Every line that was logged, parsed. */
  readonly log: readonly string[];
  /** Imports records; required fields that are not given are filled with the field's example. */
  has(resource: string, records: readonly Given[]): Promise<readonly Outcome[]>;
  /** Reasons why a record is refused; empty when it is accepted. */
  refusals(resource: string, record: unknown): string[];
  /** A GET with a good token, expected to be answered 200; gives the parsed body. */
  get(url: string, headers?: Record<string, string>): Promise<Body>;
  /** Ids of the answer, in order. */
  ids(url: string): Promise<(string | number)[]>;
  /** A GET with a good token that must be answered 400; gives its errors. */
  mistakes(url: string): Promise<{ parameter: string; given: string; expected: string }[]>;
  /** Any request, exactly as given: no token is added. */
  ask(
    url: string,
    options?: { method?: string; headers?: Record<string, string>; body?: string | Buffer | Readable },
  ): Promise<Answer>;
  /** A GET with a good token. */
  answer(url: string, headers?: Record<string, string>): Promise<Answer>;
  /** Makes a key and gives it. */
  key(terms?: Partial<Omit<KeyRow, "hash">>): Promise<string>;
  readonly token: string;
  /** Unix seconds; and milliseconds that only go forward, by which rates are measured. */
  clock: { now: number; ticks: number };
  close(): Promise<void>;
};

export type ApiOptions = {
  readonly rendering?: RenderingSettings;
  readonly corsOrigins?: readonly string[];
  /** How much memory answers may take that are kept; by default enough for a few pages. */
  readonly cacheBytes?: number;
  /** How its keys are named, before their number; two services on one database need different names. */
  readonly keyNames?: string;
  readonly writeLimits?: Partial<WriteLimits>;
  readonly metricsOpen?: boolean;
  /** Requests of one key that may read at once; by default as many as in production. */
  readonly keyConcurrency?: number;
  /** Wrong tokens that an address may send in a minute; by default any number. */
  readonly wrongTokens?: number;
  /** Replicas of the database, where it is an address. */
  readonly replicas?: readonly string[];
  /** How old data may be while the primary can't be reached; by default of any age. */
  readonly maxStalenessSeconds?: number;
  /** A SQLite file or an address; a fresh file of its own when it is not given. */
  readonly database?: string;
  /** Another catalog, without extensions, and how a database is opened with it. */
  readonly other?: { readonly catalog: readonly Resource[]; open(database: string, now: () => number): Promise<Store> };
};

export const resourceNamed = (name: string, among: readonly Resource[] = catalog): Resource => {
  const found = among.find((resource) => resource.name === name);
  assert.ok(found, `no resource ${name}`);
  return found;
};

/** The time of import in tests, unless the test moves the clock: 2026-01-15 12:00 UTC. */
export const testNow = 1_768_478_400;

/** Of every service under test: it takes longer to make than the rest of one. */
export const document = openapi(catalog, { version: "0.0.0" }, extensions);

export async function startApi(options: ApiOptions = {}): Promise<Api> {
  const own = options.database === undefined ? sqliteDatabase() : undefined;
  const file = options.database ?? own?.name ?? "";
  const clock = { now: testNow, ticks: 0 };
  const { other } = options;
  const served = other?.catalog ?? catalog;
  const now = () => clock.now;
  const store = await (other?.open(file, now) ??
    openTestStore(file, now, options.replicas, options.maxStalenessSeconds));
  await store.render(options.rendering ?? {});
  const log: string[] = [];
  const { app, handle } = await buildServer({
    catalog: served,
    extensions: other === undefined ? extensions : [],
    store,
    log: makeLog("info", { write: (line) => log.push(line) }),
    openapi: other === undefined ? document : openapi(served, { version: "0.0.0" }, []),
    now,
    ticks: () => clock.ticks,
    cacheBytes: options.cacheBytes ?? 1024 * 1024,
    wrongTokens: options.wrongTokens ?? 0,
    about: {
      version: "0.0.0",
      started: testNow,
      database: isPostgres(file) ? "postgres" : "sqlite",
      metricsOpen: options.metricsOpen ?? false,
    },
    // Injected requests follow each other within one turn of the event loop, which would pass for a standstill; and no
    // request may be refused because the machine is busy with other things.
    protection: {
      lagMs: 0,
      turns: { ...defaultLargePageLimits, longestMs: 600_000 },
      ...(options.keyConcurrency === undefined ? {} : { keyConcurrency: options.keyConcurrency }),
    },
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
  const ask: Api["ask"] = async (url, { method = "GET", headers = {}, body } = {}) => {
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
  const answer: Api["answer"] = (url, headers = {}) =>
    ask(url, { headers: { authorization: `Bearer ${token}`, ...headers } });
  const get: Api["get"] = async (url, headers) => {
    const found = await answer(url, headers);
    assert.equal(found.status, 200, `${url} was answered ${found.status}: ${found.text}`);
    return found.json;
  };
  return {
    store,
    file,
    log,
    token,
    clock,
    key,
    ask,
    answer,
    get,
    has: async (name, records) => {
      const resource = resourceNamed(name, served);
      const rows = records.map((record) => {
        const accepted = accept(resource, { ...requiredOf(resource), ...record }, clock.now);
        assert.ok("row" in accepted, `refused: ${"refusals" in accepted ? accepted.refusals.map(printRefusal) : ""}`);
        return accepted;
      });
      return store.put(resource, rows);
    },
    refusals: (name, record) => {
      const accepted = accept(resourceNamed(name, served), record, clock.now);
      return "refusals" in accepted ? accepted.refusals.map(printRefusal) : [];
    },
    ids: async (url) => recordsOf(await get(url)).map((record) => record.id as string | number),
    mistakes: async (url) => {
      const found = await answer(url);
      assert.equal(found.status, 400, `${url} was answered ${found.status}: ${found.text.slice(0, 200)}`);
      assert.equal(found.json.code, "request.parameters");
      return found.json.errors;
    },
    close: async () => {
      await app.close();
      await store.close();
      await own?.release();
    },
  };
}

/** The records of an answer, whatever its envelope. */
export function recordsOf(body: Body): Body[] {
  return Array.isArray(body) ? body : (Object.values(body)[0] as Body[]);
}

function requiredOf(resource: Resource): Given {
  const required = Object.entries(resource.fields).filter(([name, field]) => field.required && name !== "id");
  return Object.fromEntries(required.map(([name, field]) => [name, field.example]));
}
