// The upstream a database mirrors: recorded at the first start and verified at every later one.
import type { Resource } from "../../core/catalog/resource.ts";
import type { Store } from "../../store/store.ts";
import {
  checkpointNames,
  type FeedCheckpoint,
  type MirrorState,
  readCheckpoint,
  writeCheckpoint,
} from "../checkpoint.ts";
import { printRate, type Rate } from "./request-budget.ts";

/** The database may not be filled from this upstream without the operator's consent. */
export class DatabaseMismatchError extends Error {}

type OriginOptions = {
  readonly store: Store;
  readonly resources: readonly Resource[];
  readonly base: URL;
  readonly rate: Rate;
  readonly floor: string | undefined;
  readonly adopt: boolean;
};

export async function openMirrorState({
  store,
  resources,
  base,
  rate,
  floor,
  adopt,
}: OriginOptions): Promise<MirrorState> {
  const address = printableAddress(base);
  const budget = printRate(rate);
  const stored = await readCheckpoint<MirrorState>(store, checkpointNames.root);
  const other = stored !== undefined && stored.upstream !== address;
  if (other && !adopt) {
    throw new DatabaseMismatchError(
      `this database mirrors ${stored.upstream}; --adopt makes it a mirror of ${address} instead`,
    );
  }
  if (other) await clearCheckpoints(store, resources);
  if (!adopt) {
    for (const resource of resources) {
      if ((await isMirrored(store, resource)) || (await store.rowsAfter(resource, undefined, 1)).length === 0) continue;
      throw new DatabaseMismatchError(
        `this database holds ${resource.name} that were not mirrored; expected an empty database, --resources without ${resource.name}, or --adopt to treat them as the upstream's`,
      );
    }
  }
  const { floor: _, ...rest } = stored === undefined || other ? { upstream: address, requests: 0, used: 0 } : stored;
  const root: MirrorState = {
    ...rest,
    resources: resources.map(({ name }) => name),
    budget,
    ...(floor === undefined ? {} : { floor }),
    errors: {},
  };
  await writeCheckpoint(store, checkpointNames.root, root);
  return root;
}

/** Without credentials and query. */
const printableAddress = (base: URL): string => `${base.origin}${base.pathname.replace(/\/+$/, "")}`;

async function isMirrored(store: Store, { name }: Resource): Promise<boolean> {
  if ((await readCheckpoint(store, checkpointNames.list(name))) !== undefined) return true;
  const feed = await readCheckpoint<FeedCheckpoint>(store, checkpointNames.feed);
  return feed?.resources.includes(name) ?? false;
}

async function clearCheckpoints(store: Store, resources: readonly Resource[]): Promise<void> {
  const names = [
    ...resources.flatMap(({ name }) => [checkpointNames.list(name), checkpointNames.removed(name)]),
    checkpointNames.feed,
  ];
  for (const name of names) await store.setMetadata(name, "");
}
