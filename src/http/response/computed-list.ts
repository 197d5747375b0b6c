// Lists computed from others: what they are computed from stays in memory while its version is unchanged.
import type { Computed, ListSource } from "../../core/catalog/extension.ts";
import { listKey, type Plan } from "../../core/query/plan.ts";
import { projectionOf } from "../../core/record/projection.ts";
import type { WireRecord } from "../../core/record/row.ts";
import type { Store, StoreState } from "../../store/store.ts";
import { textOf } from "./buffer-pool.ts";

/** All that is used of a store. */
type Pages = Pick<Store, "page">;

type Entry = { readonly tag: string; readonly value: Promise<unknown> };

/** By store: keys that see the same records share an entry, and a change replaces it. */
const caches = new WeakMap<Pages, Map<string, Entry>>();

/** Enough for a few sets of key terms. A key with a delay needs other entries every minute. */
const maxEntries = 24;

export async function computedRecords(
  store: Pages,
  { name, computed: { sources, index } }: { readonly name: string; readonly computed: Computed },
  plan: Plan,
  state: StoreState,
): Promise<readonly WireRecord[]> {
  const parts = sources(plan).map((source) => {
    const { resource } = source.plan;
    const key = `${listKey(source.plan)} ${source.fields}`;
    const tag = state.versionTag(resource);
    const read = async () => ({ resource: resource.name, records: await recordsOf(store, source, state) });
    return { key, tag, read: () => cached(store, key, tag, read) };
  });
  const key = [name, ...parts.map((each) => each.key)].join("\n");
  const tag = parts.map((each) => each.tag).join(" ");
  const pageOf = await cached(store, key, tag, async () => index(await Promise.all(parts.map(({ read }) => read()))));
  return pageOf(plan);
}

async function recordsOf(store: Pages, { plan, fields }: ListSource, state: StoreState): Promise<WireRecord[]> {
  const reshape = projectionOf(plan.resource, { selectedFields: fields, transforms: [] });
  const { records } = await store.page(plan, state, reshape === undefined ? {} : { reshape });
  return JSON.parse(`[${textOf(records)}]`) as WireRecord[];
}

/** Concurrent requests share one read; one that failed is repeated. */
function cached<T>(store: Pages, key: string, tag: string, make: () => Promise<T>): Promise<T> {
  const entries = caches.get(store) ?? new Map<string, Entry>();
  caches.set(store, entries);
  const known = entries.get(key);
  entries.delete(key);
  const entry = known?.tag === tag ? known : { tag, value: make() };
  entries.set(key, entry);
  entry.value.catch(() => entries.get(key) === entry && entries.delete(key));
  const [oldest] = entries.keys();
  if (entries.size > maxEntries && oldest !== undefined) entries.delete(oldest);
  return entry.value as Promise<T>;
}
