// Key administration: lists, creates, updates, rotates, and revokes keys.
import type { Resource } from "../../core/catalog/resource.ts";
import type { keyEndpoints } from "../../endpoints/keys.ts";
import { type CreatedKey, KeyStore } from "../../keys/key-store.ts";
import { availableTerms } from "../../keys/terms.ts";
import type { Store } from "../../store/store.ts";
import { unwrap } from "../response/problem-error.ts";
import type { Handlers, Outcome } from "./endpoints.ts";

export type KeyDeps = {
  readonly catalog: readonly Resource[];
  readonly store: Store;
  /** Unix seconds. */
  readonly now: () => number;
};

export function keyHandlers({ catalog, store, now }: KeyDeps): Handlers<ReturnType<typeof keyEndpoints>["endpoints"]> {
  const keys = new KeyStore(store, availableTerms(catalog), now);
  return {
    makeKey: async ({ members }) => created(unwrap(await keys.create(members))),
    listKeys: async () => ({ body: { keys: await keys.list() } }),
    showKey: async ({ segments: { name = "" } }) => ({ body: unwrap(await keys.find(name)) }),
    changeKey: async ({ segments: { name = "" }, members }) => ({ body: unwrap(await keys.update(name, members)) }),
    replaceKey: async ({ segments: { name = "" }, members }) => created(unwrap(await keys.rotate(name, members))),
    revokeKey: async ({ segments: { name = "" } }) => ({ body: unwrap(await keys.revoke(name)) }),
  };
}

/** The only response that contains a key. */
function created({ entry, key }: CreatedKey): Outcome {
  const { name, ...rest } = entry;
  return { status: 201, body: { name, key, ...rest } };
}
