// Finds where the last events of a subscription begin, reading the change log backward in windows.
import type { Resource } from "../core/catalog/resource.ts";
import type { Store } from "../store/store.ts";
import type { Subscriber } from "./subscriber.ts";

/** Positions per window: records may be large. */
const windowSize = 200;

/** How far back to search for events: a filter that matches nothing must not read the whole log. */
const maxReplayed = 10_000;

export async function positionBefore(
  resource: Resource,
  subscriber: Subscriber,
  count: number,
  store: Pick<Store, "recordChanges" | "oldestPosition">,
  now: number,
): Promise<number> {
  const upTo = subscriber.position;
  const oldest = Math.max(await store.oldestPosition(), upTo - maxReplayed);
  let found: number[] = [];
  for (let end = upTo; end > oldest && found.length < count; ) {
    const start = Math.max(oldest, end - windowSize);
    const entries = await store.recordChanges(resource, start, end - start);
    const seen = entries.filter((entry) => entry.seq <= end && subscriber.actionFor(entry, now) !== undefined);
    found = [...seen.map(({ seq }) => seq), ...found];
    end = start;
  }
  const first = found.at(-count) ?? found[0];
  return first === undefined ? upTo : first - 1;
}
