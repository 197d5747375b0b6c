// The change feed and its snapshot, for replication.
import { setImmediate as nextIteration } from "node:timers/promises";
import type { Rendering } from "../../core/catalog/field.ts";
import { fieldOf, type Resource } from "../../core/catalog/resource.ts";
import { type feedParameters, feedPath, type snapshotParameters } from "../../core/feed.ts";
import { type Problem, problem } from "../../core/problem.ts";
import { exported } from "../../core/record/encoding.ts";
import type { Row } from "../../core/record/row.ts";
import type { replicationEndpoints } from "../../endpoints/replication.ts";
import type { Change, Store } from "../../store/store.ts";
import { throwIfInvalid } from "../headers/ignored-parameters.ts";
import { limitKeyConcurrency } from "../protection/key-concurrency.ts";
import type { Principal } from "../request/auth.ts";
import { ProblemError } from "../response/problem-error.ts";
import type { Call, Handlers } from "./endpoints.ts";

type ChangeDeps = { readonly catalog: readonly Resource[]; readonly store: Store };

/** Records per read, and characters after which a response is complete. */
const batchSize = 50;
const maxCharacters = 16_000_000;

export function changeHandlers(deps: ChangeDeps): Handlers<ReturnType<typeof replicationEndpoints>["endpoints"]> {
  // Responses are large and slow to build: the requests of one key are served one at a time.
  const concurrency = limitKeyConcurrency(1);
  const queued = ({ request, principal }: Pick<Call, "request" | "principal">, build: () => Promise<string>) =>
    concurrency.run(
      principal.name,
      () => request.raw.socket.destroyed,
      async () => ({ body: await build() }),
    );
  return {
    followChanges: (call) => queued(call, () => feed(call, deps)),
    readSnapshot: (call, resource) => queued(call, () => snapshot(call, resource, deps.store)),
  };
}

async function feed(
  { request, state, principal, query, values }: Call<ReturnType<typeof feedParameters>>,
  deps: ChangeDeps,
): Promise<string> {
  const { store } = deps;
  const { after, resource, limit } = values;
  // Read before the entries: later ones belong to the next response.
  const last = await store.lastPosition();
  const received = query.get("after")?.[0] ?? "";
  const expected = `a position up to ${last}, the newest one`;
  if (after > last) throwIfInvalid([{ parameter: "after", given: received, expected }]);
  const entries = (await store.changes(after, limit, resource)).filter(({ seq }) => seq <= last);
  // Read after the entries: if none has been pruned by then, none is missing.
  const oldest = await store.oldestPosition();
  if (after < oldest) throw new ProblemError(gone(after, oldest));
  const encoded = await encodeEntries(entries, principal, deps, state.rendering);
  const isComplete = encoded.length === entries.length && entries.length < limit;
  const next = isComplete ? last : (entries[encoded.length - 1]?.seq ?? after);
  const changes = encoded.filter((entry) => entry !== undefined);
  request.exchange.records = changes.length;
  return `{"database":${JSON.stringify(state.databaseId)},"changes":[${changes.join(",")}],"next":${next},"last":${last}}`;
}

const gone = (after: number, oldest: number): Problem =>
  problem(
    "changes.gone",
    `Changes after ${after} are no longer available; the oldest position to continue from is ${oldest}. Start over with ${feedPath}/records/ and the name of each resource, then continue from "last" of the first response.`,
  );

/**
 * Entries as JSON, each with the current version of its record; undefined for resources that the key isn't licensed for.
 * Fewer than passed in if they grow too large.
 */
async function encodeEntries(
  entries: readonly Change[],
  { resources }: Principal,
  { catalog, store }: ChangeDeps,
  rendering: Rendering,
): Promise<(string | undefined)[]> {
  const isLicensed = (name: string) => resources?.includes(name) ?? true;
  const encoded: (string | undefined)[] = [];
  for (let at = 0, length = 0; at < entries.length && length < maxCharacters; at += batchSize) {
    const batch = entries.slice(at, at + batchSize);
    const records = new Map<string, string>();
    for (const resource of catalog) {
      if (!isLicensed(resource.name)) continue;
      const ids = new Set(batch.filter((entry) => entry.resource === resource.name).map(({ id }) => id));
      if (ids.size === 0) continue;
      for (const row of await store.rowsOf(resource, [...ids]))
        records.set(`${resource.name} ${row.id}`, recordJson(resource, row, rendering));
    }
    for (const { seq, resource, id, kind, at: time } of batch) {
      if (!isLicensed(resource)) {
        encoded.push(undefined);
        continue;
      }
      const entry = JSON.stringify({ seq, resource, id, kind, at: time });
      const record = records.get(`${resource} ${id}`);
      encoded.push(record === undefined ? entry : `${entry.slice(0, -1)},"record":${record}}`);
      length += encoded.at(-1)?.length ?? 0;
    }
    // Lets other requests run.
    await nextIteration();
  }
  return encoded;
}

async function snapshot(
  { request, state, query, values }: Call<ReturnType<typeof snapshotParameters>>,
  resource: Resource,
  store: Store,
): Promise<string> {
  // Read before the records: a concurrent change is in the records, in the following entries, or in both.
  const last = await store.lastPosition();
  // Spaces are part of an ID and must not be trimmed.
  const isText = fieldOf(resource, "id").column === "text";
  const after = isText ? query.get("after")?.[0] || undefined : values.after;
  const { records, next } = await encodeRows(resource, store, after, values.limit, state.rendering);
  request.exchange.records = records.length;
  const more = next === undefined ? "" : `,"next":${JSON.stringify(String(next))}`;
  return `{"database":${JSON.stringify(state.databaseId)},"last":${last},"records":[${records.join(",")}]${more}}`;
}

/** Records as JSON, and the ID to continue after. */
async function encodeRows(
  resource: Resource,
  store: Store,
  from: string | number | undefined,
  limit: number,
  rendering: Rendering,
): Promise<{ records: string[]; next: string | number | undefined }> {
  const records: string[] = [];
  let next = from;
  for (let length = 0; records.length < limit && length < maxCharacters; ) {
    const wanted = Math.min(batchSize, limit - records.length);
    const rows = await store.rowsAfter(resource, next, wanted);
    for (const row of rows) length += records[records.push(recordJson(resource, row, rendering)) - 1]?.length ?? 0;
    if (rows.length < wanted) return { records, next: undefined };
    next = rows.at(-1)?.id as string | number;
    await nextIteration();
  }
  return { records, next };
}

const recordJson = (resource: Resource, row: Row, rendering: Rendering): string =>
  JSON.stringify(exported(resource, row, rendering));
