// Administration of links: an operator's are those of all keys, a key with the scope for links has its own.
import type { Listing } from "../../core/catalog/extension.ts";
import type { Resource } from "../../core/catalog/resource.ts";
import type { linkEndpoints } from "../../endpoints/links.ts";
import { LinkStore } from "../../keys/link-store.ts";
import type { Store } from "../../store/store.ts";
import type { Principal } from "../request/auth.ts";
import { ProblemError, unwrap } from "../response/problem-error.ts";
import type { Handlers } from "../routes/endpoints.ts";
import { deadLink } from "./open.ts";

export type LinkHandlerDeps = {
  readonly catalog: readonly Resource[];
  /** Lists that aren't resources of the catalog. */
  readonly extensions: readonly Listing[];
  readonly store: Store;
  /** Writes usage that has been counted but not written. */
  readonly flushUsage: () => Promise<unknown>;
  /** Unix seconds. */
  readonly now: () => number;
};

export function linkHandlers(deps: LinkHandlerDeps): Handlers<typeof linkEndpoints.endpoints> {
  const { catalog, extensions, store, flushUsage, now } = deps;
  const links = new LinkStore(store, [...catalog, ...extensions], now);
  return {
    makeLink: async ({ members, principal }) => {
      const { entry, url } = unwrap(await links.create(members, holderOf(principal)));
      const { id, ...rest } = entry;
      return { status: 201, body: { id, url, ...rest } };
    },
    listLinks: async ({ principal, values }) => {
      await flushUsage();
      return { body: { links: await links.list(holderOf(principal) ?? values.key) } };
    },
    revokeLink: async ({ principal, segments: { id = "" } }) => {
      await flushUsage();
      return { body: unwrap(await links.revoke(id, holderOf(principal))) };
    },
    // The links that exist are served as lists.
    openLink: async () => {
      throw new ProblemError(deadLink);
    },
  };
}

const holderOf = ({ name, scopes }: Principal): string | undefined => (scopes.includes("admin") ? undefined : name);
