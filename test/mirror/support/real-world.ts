// A fake upstream that behaves like public services of this interface: a server in front of a Bellwire server that
// changes what comes in and goes out, and fails now and then.
import { feedPath } from "../../../src/core/feed.ts";
import { catalog } from "../../../src/resources/catalog.ts";
import { recordsOf } from "../../support/clients/api.ts";
import type { ReceivedRequest } from "./fake-upstream.ts";
import { type Between, type Passed, pass, proxy } from "./proxy.ts";

type Item = Record<string, unknown>;

export type Habits = {
  readonly target: string;
  /** Key for the Bellwire server; also the one that clients send. */
  readonly key: string;
  /** Maximum page size, to which larger ones are reduced. */
  readonly most: number;
  readonly seed: number;
};

/** By path: whether it ends with a slash. The other form doesn't exist. */
const removals: Readonly<Record<string, boolean>> = {
  "/api/v2/news-removed": true,
  "/api/v2.1/calendar-removed": false,
};

export async function realWorld({ target, key, most, seed }: Habits): Promise<Between> {
  const upstream = await proxy(
    target,
    async ({ path, query, headers }, count) => {
      const bare = path.replace(/\/$/, "");
      return rewritten(bare, count, await pass(new URL(target), clamped(bare, query, most, headers)));
    },
    randomFrom(seed),
  );
  upstream.instead = ({ path, query }, response, count) => {
    const slash = removals[path.replace(/\/$/, "")];
    const isMissing = slash !== undefined && slash !== path.endsWith("/");
    // The change feed is unknown, or hidden behind the check of the key. A key in the header is ignored.
    const status =
      isMissing || (path.startsWith(feedPath) && count % 2 === 0) ? 404 : query.get("token") === key ? 200 : 401;
    if (status !== 200) response.writeHead(status).end('{"message":"no"}');
    return status !== 200;
  };
  return upstream;
}

/** The request with its page size reduced to the maximum, without a word. */
function clamped(
  path: string,
  query: URLSearchParams,
  most: number,
  { accept }: ReceivedRequest["headers"],
): ReceivedRequest {
  const reduced = new URLSearchParams(query);
  for (const name of ["pagesize", "pageSize"])
    if (reduced.has(name)) reduced.set(name, String(Math.min(most, Number(reduced.get(name)))));
  return { path, query: reduced, headers: { accept } };
}

/** The response in the shapes of public services; `count` varies those that have several. */
function rewritten(path: string, count: number, passed: Passed): Passed {
  if (passed.status !== 200) return passed;
  const { link: _, "content-length": __, etag: ___, ...headers } = passed.headers;
  const records: Item[] = recordsOf(JSON.parse(passed.body.toString()));
  const body = Buffer.from(
    JSON.stringify(Object.hasOwn(removals, path) ? removed(count, records) : listed(path, count, records)),
  );
  return { ...passed, headers, body };
}

function removed(count: number, records: readonly Item[]): unknown {
  const entries = records.map((record) => ({
    ...record,
    ...(record.type === undefined
      ? { updated: new Date(Number(record.updated) * 1000).toUTCString().replace("GMT", "+0000") }
      : { updated: String(record.updated), type: String(record.type).replace("-", " ") }),
    reason: "withdrawn",
  }));
  return [{ removed: entries }, entries, { items: entries }][count % 3];
}

function listed(path: string, count: number, records: readonly Item[]): unknown {
  const list = records.map(foreignForm);
  const { name } = catalog.find((resource) => resource.path === path) ?? { name: "" };
  if (name === "news" || list.length === 0) return list;
  const isRenamed = name === "conference-calls" && count % 2 === 0;
  return { [isRenamed ? "conference" : name]: list };
}

/** Numbers as text, and attributes that the interface doesn't have. */
function foreignForm({ cusip, stocks, ...record }: Item): Item {
  const entries = Object.entries(record).map(([name, value]) => [
    name,
    typeof value === "number" ? String(value) : value,
  ]);
  return {
    ...Object.fromEntries(entries),
    ...(cusip === undefined ? {} : { cusip }),
    ...(stocks === undefined ? {} : { stocks: (stocks as Item[]).map((stock) => ({ ...stock, rank: 1 })) }),
    vendor_score: 7,
  };
}

/** A reproducible sequence of numbers from 0 to 1. */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}
