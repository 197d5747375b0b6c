// The change feed and its snapshot: every change of every record, for followers that keep a copy.
import { setImmediate as nextTurn } from "node:timers/promises";
import type { Rendering } from "../../core/catalog/field.ts";
import { fieldOf, type Resource } from "../../core/catalog/resource.ts";
import { type feedParameters, feedPath, type snapshotParameters } from "../../core/feed.ts";
import { type Problem, problem } from "../../core/problem.ts";
import { exported } from "../../core/record/encoding.ts";
import type { Row } from "../../core/record/row.ts";
import type { replicationEndpoints } from "../../endpoints/replication.ts";
import type { Change, Store } from "../../store/store.ts";
import { refuse } from "../headers/ignored-parameters.ts";
import { keyQueues } from "../protection/key-concurrency.ts";
import type { Principal } from "../request/auth.ts";
import { ProblemError } from "../response/problem-error.ts";
import type { Call, Handlers } from "./endpoints.ts";

export type ChangeDeps = { readonly catalog: readonly Resource[]; readonly store: Store };

/** Records that are read at once, and characters after which an answer holds no more of them. */
const atOnce = 50;
const mostCharacters = 16_000_000;

export function changeHandlers(deps: ChangeDeps): Handlers<ReturnType<typeof replicationEndpoints>["endpoints"]> {
  // Responses are large and take long to build: the requests of one key are served one after the other.
  const queues = keyQueues(1);
  const queued = ({ request, holder }: Pick<Call, "request" | "holder">, build: () => Promise<string>) =>
    queues.run(
      holder.name,
      () => request.raw.socket.destroyed,
      async () => ({ body: await build() }),
    );
  return {
    followChanges: (call) => queued(call, () => feed(call, deps)),
    readSnapshot: (call, resource) => queued(call, () => snapshot(call, resource, deps.store)),
  };
}

async function feed(
  { request, state, holder, query, values }: Call<ReturnType<typeof feedParameters>>,
  deps: ChangeDeps,
): Promise<string> {
  const { store } = deps;
  const { after, resource, limit } = values;
  // Before the entries: whatever is added later belongs to the next response.
  const last = await store.lastPosition();
  const given = query.get("after")?.[0] ?? "";
  if (after > last) refuse([{ parameter: "after", given, expected: `a position up to ${last}, the newest one` }]);
  const lines = (await store.changes(after, limit, resource)).filter(({ seq }) => seq <= last);
  // After the entries: none of them can have been deleted unnoticed.
  const oldest = await store.oldestPosition();
  if (after < oldest) throw new ProblemError(gone(after, oldest));
  const printed = await printLines(lines, holder, deps, state.rendering);
  const isWhole = printed.length === lines.length && lines.length < limit;
  const next = isWhole ? last : (lines[printed.length - 1]?.seq ?? after);
  const changes = printed.filter((line) => line !== undefined);
  request.exchange.records = changes.length;
  return `{"database":${JSON.stringify(state.databaseId)},"changes":[${changes.join(",")}],"next":${next},"last":${last}}`;
}

const gone = (after: number, oldest: number): Problem =>
  problem(
    "changes.gone",
    `The lines after ${after} are no longer all kept; the oldest position that can be followed from is ${oldest}. Start again with ${feedPath}/records/ and the name of each resource, then follow from the "last" of the first answer.`,
  );

/**
 * Lines as JSON, each with the present form of its record; undefined for those of resources that the key is not for.
 * Fewer than were given when they grow too large.
 */
async function printLines(
  lines: readonly Change[],
  { resources }: Principal,
  { catalog, store }: ChangeDeps,
  rendering: Rendering,
): Promise<(string | undefined)[]> {
  const isSold = (name: string) => resources?.includes(name) ?? true;
  const printed: (string | undefined)[] = [];
  for (let at = 0, length = 0; at < lines.length && length < mostCharacters; at += atOnce) {
    const some = lines.slice(at, at + atOnce);
    const records = new Map<string, string>();
    for (const resource of catalog) {
      if (!isSold(resource.name)) continue;
      const ids = new Set(some.filter((line) => line.resource === resource.name).map(({ id }) => id));
      if (ids.size === 0) continue;
      for (const row of await store.rowsOf(resource, [...ids]))
        records.set(`${resource.name} ${row.id}`, printRecord(resource, row, rendering));
    }
    for (const { seq, resource, id, kind, at: time } of some) {
      if (!isSold(resource)) {
        printed.push(undefined);
        continue;
      }
      const line = JSON.stringify({ seq, resource, id, kind, at: time });
      const record = records.get(`${resource} ${id}`);
      printed.push(record === undefined ? line : `${line.slice(0, -1)},"record":${record}}`);
      length += printed.at(-1)?.length ?? 0;
    }
    // Requests that have come meanwhile go first.
    await nextTurn();
  }
  return printed;
}

async function snapshot(
  { request, state, query, values }: Call<ReturnType<typeof snapshotParameters>>,
  resource: Resource,
  store: Store,
): Promise<string> {
  // Before the records: a change made meanwhile is in the records, in the entries that follow, or in both.
  const last = await store.lastPosition();
  // Blanks are part of an id, and are not trimmed.
  const isText = fieldOf(resource, "id").column === "text";
  const after = isText ? query.get("after")?.[0] || undefined : values.after;
  const { records, next } = await printRows(resource, store, after, values.limit, state.rendering);
  request.exchange.records = records.length;
  const more = next === undefined ? "" : `,"next":${JSON.stringify(String(next))}`;
  return `{"database":${JSON.stringify(state.databaseId)},"last":${last},"records":[${records.join(",")}]${more}}`;
}

/** Records as JSON, and the identifier after which to go on. */
async function printRows(
  resource: Resource,
  store: Store,
  from: string | number | undefined,
  limit: number,
  rendering: Rendering,
): Promise<{ records: string[]; next: string | number | undefined }> {
  const records: string[] = [];
  let next = from;
  for (let length = 0; records.length < limit && length < mostCharacters; ) {
    const asked = Math.min(atOnce, limit - records.length);
    const rows = await store.rowsAfter(resource, next, asked);
    for (const row of rows) length += records[records.push(printRecord(resource, row, rendering)) - 1]?.length ?? 0;
    if (rows.length < asked) return { records, next: undefined };
    next = rows.at(-1)?.id as string | number;
    await nextTurn();
  }
  return { records, next };
}

const printRecord = (resource: Resource, row: Row, rendering: Rendering): string =>
  JSON.stringify(exported(resource, row, rendering));
