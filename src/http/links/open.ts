// Opens a link: finds the list and the key it stands for, and turns the request into one for that list.
import type { IncomingMessage } from "node:http";
import { type Problem, problem } from "../../core/problem.ts";
import { hashKey, isLinkToken } from "../../keys/key.ts";
import { fileOf, linkPath } from "../../keys/link-store.ts";
import type { Store, StoreState, UsableLink } from "../../store/store.ts";
import type { Exchange } from "../exchange.ts";
import type { ListMatch, ListRoute } from "../list-router.ts";
import { cleanPath } from "../not-found.ts";
import type { BruteForceGuard } from "../request/brute-force.ts";
import type { ClientAddress } from "../request/client-ip.ts";

/** The list's route, or why there is none. The request of the exchange is then one for that list. */
type OpenLink = (exchange: Exchange) => Promise<ListMatch | Problem>;

type LinkDeps = {
  readonly store: Store;
  readonly routes: readonly ListRoute[];
  readonly guard: BruteForceGuard;
  readonly addressOf: ClientAddress;
};

/** Cached links; the cache is cleared when it is full or any key or link changes. */
const maxCached = 10_000;

const prefix = `${linkPath}/`;

/** Also with doubled slashes or a host; the usual spelling is found without normalization. */
export const isLinkUrl = (url: string): boolean =>
  url.startsWith(prefix) || (!url.startsWith("/api/") && cleanPath(url).startsWith(prefix));

/** The same for unknown and revoked links: it must not reveal which existed. */
export const deadLink = problem("link.unknown");

export function linkOpener({ store, routes, guard, addressOf }: LinkDeps): OpenLink {
  const byName = new Map(routes.map((route) => [route.listing.name, route]));
  const cached = new Map<string, UsableLink>();
  let cachedKeys = -1;

  const rejected = (request: IncomingMessage): Problem => {
    const found = guard.reject(addressOf(request));
    return found.code === "limit.tokens" ? found : deadLink;
  };

  const lookUp = async (hash: string, request: IncomingMessage, state: StoreState): Promise<UsableLink | undefined> => {
    if (!(await guard.mayExist(hash, addressOf(request), state))) return undefined;
    const link = await store.findLink(hash, state);
    // Another request may have seen newer keys during the lookup: an older result must not be cached.
    if (link !== undefined && state.keysVersion === cachedKeys) cached.set(hash, link);
    return link;
  };

  return async (exchange) => {
    const { request } = exchange;
    const [, , token = "", file, ...rest] = cleanPath(request.url ?? "").split("/");
    if (!isLinkToken(token) || rest.length > 0) return rejected(request);
    const state = await store.state();
    if (state.keysVersion !== cachedKeys || cached.size >= maxCached) {
      cached.clear();
      cachedKeys = state.keysVersion;
    }
    const hash = hashKey(token);
    const link = cached.get(hash) ?? (await lookUp(hash, request, state));
    if (link === undefined) return rejected(request);
    const route = byName.get(link.list);
    if (route === undefined || file !== fileOf(link)) return deadLink;
    exchange.link = link;
    exchange.request = requestFor(request, `${route.listing.path}?${link.query}`);
    return { ...route, pathParameters: {} };
  };
}

/** Whatever else the client sends, such as a query or a key, has no effect. */
function requestFor(request: IncomingMessage, url: string): IncomingMessage {
  const { authorization, accept, ...headers } = request.headers;
  return Object.create(request, { url: { value: url }, headers: { value: headers } }) as IncomingMessage;
}
