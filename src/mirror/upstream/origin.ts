// What a database is a mirror of: said when it begins, and held against every later start.
import type { Resource } from "../../core/catalog/resource.ts";
import type { Store } from "../../store/store.ts";
import { type FeedPlace, noteNames, type Root, readNote, writeNote } from "../checkpoint.ts";
import { removedLists } from "../lists/removals.ts";
import { printRate, type Rate } from "./request-budget.ts";

/** The database is not one that this upstream may be mirrored into; a person must decide. */
export class UnfitError extends Error {}

type Beginning = {
  readonly store: Store;
  readonly resources: readonly Resource[];
  readonly base: URL;
  readonly rate: Rate;
  readonly floor: string | undefined;
  readonly adopt: boolean;
};

export async function openRoot({ store, resources, base, rate, floor, adopt }: Beginning): Promise<Root> {
  const address = addressOf(base);
  const budget = printRate(rate);
  const known = await readNote<Root>(store, noteNames.root);
  const other = known !== undefined && known.upstream !== address;
  if (other && !adopt) {
    throw new UnfitError(`this database mirrors ${known.upstream}; --adopt makes it a mirror of ${address} instead`);
  }
  if (other) await forget(store, resources);
  if (!adopt) {
    for (const resource of resources) {
      if ((await isFollowed(store, resource)) || (await store.rowsAfter(resource, undefined, 1)).length === 0) continue;
      throw new UnfitError(
        `this database holds ${resource.name} that no mirror brought; expected an empty database, --resources without ${resource.name}, or --adopt to take them for the upstream's`,
      );
    }
  }
  const { floor: _, ...rest } = known === undefined || other ? { upstream: address, requests: 0, used: 0 } : known;
  const root: Root = { ...rest, budget, ...(floor === undefined ? {} : { floor }), errors: {} };
  await writeNote(store, noteNames.root, root);
  return root;
}

/** Never with a password or a query. */
const addressOf = (base: URL): string => `${base.origin}${base.pathname.replace(/\/+$/, "")}`;

async function isFollowed(store: Store, { name }: Resource): Promise<boolean> {
  if ((await readNote(store, noteNames.list(name))) !== undefined) return true;
  const feed = await readNote<FeedPlace>(store, noteNames.feed);
  return feed?.resources.includes(name) ?? false;
}

async function forget(store: Store, resources: readonly Resource[]): Promise<void> {
  const names = [
    ...resources.map(({ name }) => noteNames.list(name)),
    ...removedLists(resources).map(({ path }) => noteNames.removed(path)),
    noteNames.feed,
  ];
  for (const name of names) await store.setNote(name, "");
}
