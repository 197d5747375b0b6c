// Changes of a list without a stream: repeated requests for what was updated or removed since the last one.
import type { AnyList, FollowOptions } from "./list.ts";
import type { Parameters, PollSpec } from "./parameters.ts";
import type { Change } from "./stream.ts";
import { sleep } from "./transport.ts";

type WireRecord = Record<string, unknown>;

/** How much the clocks of client and server may differ at the start. */
const maxSkewSeconds = 3600;
/** Timestamps are whole seconds, and a server may commit a record some seconds after its timestamp. */
const overlapSeconds = 5;

export async function* poll(
  list: AnyList,
  removed: AnyList | undefined,
  { resource, since, column, removedSince = since, type }: PollSpec,
  parameters: Parameters,
  { signal, pollMs = 30_000 }: FollowOptions,
): AsyncGenerator<Change<WireRecord>, void> {
  const options = signal === undefined ? {} : { signal };
  const { fields, ...filters } = parameters;
  const selection = fields === undefined ? {} : { fields: [fields, "id", column].flat() };
  /** What was reported, since each request overlaps the one before. */
  const seen = new Map<string, { at: number; text: string }>();
  let from = Math.floor(Date.now() / 1000) - maxSkewSeconds;
  const isNew = (key: string, at: number, record: WireRecord): boolean => {
    const text = JSON.stringify(record);
    if (seen.get(key)?.text === text) return false;
    seen.set(key, { at, text });
    return true;
  };
  for (let isFirst = true; ; isFirst = false) {
    const sources = [
      ["updated", list.list({ ...filters, ...selection, [since]: from }, options)],
      ["removed", removed?.list({ [removedSince]: from, type }, options) ?? []],
    ] as const;
    for (const [action, records] of sources)
      for await (const record of records) {
        const id = record.id as string | number;
        const at = secondsOf(record[action === "removed" ? "updated" : column]);
        if (!isNew(`${action} ${id}`, at, record) || isFirst) continue;
        yield { id, resource, at, ...(action === "removed" ? { action } : { action, record }) };
      }
    for (const { at } of seen.values()) from = Math.max(from, at - overlapSeconds);
    for (const [key, { at }] of seen) if (at < from) seen.delete(key);
    await sleep(pollMs, signal);
  }
}

/** Unix seconds, or text such as `Tue, 05 Nov 2024 09:30:00 -0500`. */
const secondsOf = (value: unknown): number => (typeof value === "number" ? value : Date.parse(String(value)) / 1000);
