// Records for an upstream, and a writer that keeps changing them.
import { setTimeout as sleep } from "node:timers/promises";
import { demoRecords, demoResources } from "../../../demo/demo.ts";
import type { Resource } from "../../../src/core/catalog/resource.ts";
import { validateRecord } from "../../../src/core/record/validate.ts";
import { catalog } from "../../../src/resources/catalog.ts";
import type { IncomingRow, Store } from "../../../src/store/store.ts";
import { runs } from "../../support/budget.ts";
import { type RecordInput, resourceNamed } from "../../support/clients/api.ts";

const batchSize = 2000;

/** Delay between two changes: short enough that every scan sees some. */
const pauseMs = runs(100, 30);
const now = (): number => Math.floor(Date.now() / 1000);

export type Crowd = Map<Resource, RecordInput[]>;

/** Demo records, up to a number per resource; fewer of the slow ones. */
export function crowdOf(mostNews: number, most: number): Crowd {
  const moment = now();
  const today = new Date(moment * 1000).toISOString().slice(0, 10);
  return new Map(
    demoResources.map((name) => {
      const made: RecordInput[] = [];
      for (const record of demoRecords(name, { today, now: moment })) {
        if (Number(record.updated) > moment) continue;
        if (made.length >= (name === "news" ? mostNews : most)) break;
        made.push(record);
      }
      const copies = name === "ratings" || name === "economics" ? 2 : 1;
      const all = Array.from({ length: copies }, (_, copy) =>
        made.map((record) => (copy === 0 ? record : { ...record, id: `${record.id}-${copy}` })),
      );
      return [resourceNamed(name), all.flat()];
    }),
  );
}

function rowsFrom(resource: Resource, records: readonly RecordInput[]): IncomingRow[] {
  return records.map((record) => {
    const accepted = validateRecord(resource, record, now());
    if ("errors" in accepted) throw new Error(`rejected: ${JSON.stringify(accepted.errors)}`);
    return accepted;
  });
}

export async function load(store: Store, crowd: Crowd): Promise<number> {
  let count = 0;
  for (const [resource, records] of crowd) {
    for (let at = 0; at < records.length; at += batchSize) {
      const some = records.slice(at, at + batchSize);
      await store.put(resource, rowsFrom(resource, some));
      count += some.length;
    }
  }
  return count;
}

const pick = <T>(list: readonly T[]): T => list[Math.floor(Math.random() * list.length)] as T;
const some = (most: number): number => 1 + Math.floor(Math.random() * most);

/** Writes, moves, removes, and restores records until stopped, or `most` times; returns the number of changes. */
export async function disturb(
  store: Store,
  crowd: Crowd,
  signal: AbortSignal,
  most = Number.POSITIVE_INFINITY,
): Promise<number> {
  let times = 0;
  let made = 0;
  while (!signal.aborted && times < most) {
    const resource = pick(catalog);
    const records = crowd.get(resource) as RecordInput[];
    const chosen = Array.from({ length: some(20) }, () => pick(records));
    if (Math.random() < 0.3) {
      await store.remove(
        resource,
        chosen.map(({ id }) => String(id)),
      );
    } else {
      const changed = chosen.map((record) => changedForm(resource, record, ++made));
      const once = [...new Map(changed.map((record) => [record.id, record])).values()];
      await store.put(resource, rowsFrom(resource, once));
    }
    times++;
    await sleep(pauseMs);
  }
  return times;
}

/** The record changed, moved to another day, or under a new ID, with a new timestamp. */
function changedForm(resource: Resource, record: RecordInput, made: number): RecordInput {
  const isNews = resource.name === "news";
  const kind = Math.random();
  const id = kind < 0.3 ? (isNews ? 3_000_000_000 + made : `new-${made}`) : record.id;
  const words = isNews ? { title: `Changed ${made}` } : { notes: `changed ${made}` };
  const days = some(700);
  const moved = isNews
    ? { created: now() - days * 86_400 }
    : { date: new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10) };
  return { ...record, id, ...words, ...(kind > 0.8 ? moved : {}), updated: now() };
}
