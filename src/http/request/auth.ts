// Authentication: resolves a request's token to a principal, or to a problem.
import type { IncomingMessage } from "node:http";
import { hasScope, type Scope, unrestrictedScopes } from "../../core/access/scope.ts";
import { type Visibility, visibilityOf } from "../../core/access/visibility.ts";
import { type Problem, problem } from "../../core/problem.ts";
import { parseQuery, type Query, queryOf } from "../../core/query/query-string.ts";
import type { Zone } from "../../core/value/time-zone.ts";
import { hashKey, isKey } from "../../keys/key.ts";
import { validUntil } from "../../keys/key-store.ts";
import { networkMatcher } from "../../keys/networks.ts";
import { redactKeys } from "../../keys/redact.ts";
import type { Allowance } from "../../limits/allowance.ts";
import type { KeyRow, Store, StoreState, UsableLink } from "../../store/store.ts";
import { exchangeOf } from "../exchange.ts";
import { deadLink } from "../links/open.ts";
import type { BruteForceGuard } from "./brute-force.ts";
import type { ClientAddress } from "./client-ip.ts";
import type { RateLimits } from "./rate-limit.ts";

export type Principal = Pick<KeyRow, "name" | "licenses" | "scopes" | "history" | "delay"> & {
  /** First second at which the key is no longer valid. */
  readonly until: number;
  /** Rate limit and quota; undefined: none. */
  readonly allowance: Allowance | undefined;
  /** Resources it may read and write; undefined: all. */
  readonly resources: readonly string[] | undefined;
  /** Undefined: it may be used from any address. */
  readonly allowsAddress: ((address: string) => boolean) | undefined;
  /** Origins of the pages that may use it; undefined: any page, and clients that send no origin. */
  readonly origins: readonly string[] | undefined;
  /** Which part of a list it sees; undefined: all of it. */
  readonly window: Visibility | undefined;
  /** Whether it is served as clients of other implementations expect. */
  readonly compat: boolean;
};

export type Authenticate = (
  request: {
    readonly query: Query;
    readonly request: IncomingMessage;
    /** Rejects any token in the query. */
    readonly headerOnly?: boolean;
    /** The request has been admitted before, and doesn't count again. */
    readonly isAdmitted?: boolean;
  },
  state: StoreState,
) => Authenticated | Promise<Authenticated>;

export type Authenticated = { readonly principal: Principal } | Rejected;

/** Includes the principal if known, since rejected requests count toward its usage too. */
type Rejected = { readonly problem: Problem; readonly principal?: Principal };

type AuthenticatorDeps = {
  readonly store: Store;
  readonly rateLimits: RateLimits;
  readonly guard: BruteForceGuard;
  readonly addressOf: ClientAddress;
  /** Unix seconds. */
  readonly now: () => number;
};

export function authenticator({ store, rateLimits, guard, addressOf, now }: AuthenticatorDeps): Authenticate {
  const principals = keyCache<Principal>();
  let newestKeys = -1;

  const unknown = (request: IncomingMessage) => ({
    problem: linkOf(request) === undefined ? guard.reject(addressOf(request)) : deadLink,
  });

  const admit = (
    principal: Principal,
    request: IncomingMessage,
    isAdmitted: boolean,
  ): Authenticated | Promise<Authenticated> => {
    if (now() >= principal.until) return unknown(request);
    const refused = sourceProblem(principal, () => addressOf(request), request.headers.origin);
    if (refused !== undefined) return { problem: refused, principal };
    if (principal.allowance === undefined || isAdmitted) return { principal };
    return admitLimited(principal, principal.allowance, request);
  };

  const admitLimited = async (principal: Principal, allowance: Allowance, request: IncomingMessage) => {
    const refused = await rateLimits.admit(request, allowance);
    return refused === undefined ? { principal } : { problem: refused, principal };
  };

  const lookUp = async (
    hash: string,
    request: IncomingMessage,
    state: StoreState,
    isAdmitted: boolean,
  ): Promise<Authenticated> => {
    if (!(await guard.mayExist(hash, addressOf(request), state))) return unknown(request);
    const row = await store.findKey(hash, state);
    if (row === undefined) return unknown(request);
    // An expired key has old terms, which must not replace those of a newer key with the same name.
    const until = validUntil(row, state.rendering.zone);
    if (now() >= until) return unknown(request);
    const isCurrent = principals.isFor(state);
    // A replica may be behind; limits are shared by all requests of a key name and must not revert to older terms.
    const allowance = rateLimits.allowanceOf(row, state.rendering.zone, isCurrent && state.keysVersion === newestKeys);
    const principal = principalOf(row, until, allowance, state.rendering.zone);
    principals.add(hash, principal, state);
    return admit(principal, request, isAdmitted);
  };

  return ({ query, request, headerOnly = false, isAdmitted = false }, state) => {
    const { authorization } = request.headers;
    const link = linkOf(request);
    const token =
      link !== undefined ? "" : headerOnly ? headerOnlyToken(query, authorization) : tokenOf(query, authorization);
    if (typeof token !== "string") return { problem: token };
    newestKeys = Math.max(newestKeys, state.keysVersion);
    if (link === undefined && !isKey(token)) return unknown(request);
    const hash = link?.keyHash ?? hashKey(token);
    const principal = principals.find(hash, state);
    return principal === undefined ? lookUp(hash, request, state, isAdmitted) : admit(principal, request, isAdmitted);
  };
}

const maxCached = 10_000;

/** What is known of keys, by hash; cleared when it is full or any key changes. */
function keyCache<T>() {
  const cached = new Map<string, T>();
  let keys = -1;
  let zone: unknown;
  const isFor = ({ keysVersion, rendering }: StoreState): boolean => keysVersion === keys && rendering.zone === zone;
  return {
    isFor,
    find: (hash: string, state: StoreState): T | undefined => {
      if (!isFor(state) || cached.size >= maxCached) {
        cached.clear();
        keys = state.keysVersion;
        zone = state.rendering.zone;
      }
      return cached.get(hash);
    },
    /** Another request may have seen newer keys since `state` was read: an older result must not be cached. */
    add: (hash: string, value: T, state: StoreState): void => {
      if (isFor(state)) cached.set(hash, value);
    },
  };
}

/** A link stands for its key. Requests that aren't served over HTTP have no exchange. */
const linkOf = (request: IncomingMessage): UsableLink | undefined => exchangeOf(request)?.link;

function principalOf(row: KeyRow, until: number, allowance: Allowance | undefined, zone: Zone): Principal {
  const { name, licenses, scopes, history, delay, resources, origins, networks } = row;
  return {
    name,
    licenses,
    scopes,
    history,
    delay,
    until,
    allowance,
    resources: resources.length === 0 ? undefined : resources,
    allowsAddress: networks.length === 0 ? undefined : networkMatcher(networks),
    origins: origins.length === 0 ? undefined : origins,
    window: visibilityOf(row, zone),
    compat: row.compat,
  };
}

/** Whether the key of a request has the compatibility term. To all others its path doesn't exist, so no limit applies. */
export function compatKeys({ store, guard, addressOf }: AuthenticatorDeps) {
  const terms = keyCache<boolean>();

  const lookUp = async (hash: string, request: IncomingMessage, state: StoreState): Promise<boolean> => {
    const mayExist = await guard.mayExist(hash, addressOf(request), state);
    const row = mayExist ? await store.findKey(hash, state) : undefined;
    if (row === undefined) guard.reject(addressOf(request));
    else terms.add(hash, row.compat, state);
    return row?.compat === true;
  };

  return async (request: IncomingMessage): Promise<boolean> => {
    const token = tokenOf(parseQuery(queryOf(request.url ?? "")).query, request.headers.authorization);
    if (typeof token !== "string" || !isKey(token)) return false;
    const state = await store.state();
    const hash = hashKey(token);
    return terms.find(hash, state) ?? lookUp(hash, request, state);
  };
}

/** Set if the key may not be used from the request's address or origin. */
function sourceProblem(
  { allowsAddress: isFrom, origins }: Principal,
  address: () => string,
  origin: string | undefined,
): Problem | undefined {
  if (isFrom?.(address()) === false)
    return problem("key.network", `This key may not be used from the address ${address()}.`);
  if (origins === undefined || (origin !== undefined && origins.includes(origin))) return undefined;
  const from =
    origin === undefined ? "without an Origin header" : `from pages of ${JSON.stringify(redactKeys(origin))}`;
  return problem("key.origin", `This key may not be used ${from}.`);
}

export const challenge = { headers: { "www-authenticate": 'Bearer realm="bellwire"' } };

function tokenOf(query: Query, authorization: string | undefined): string | Problem {
  const inQuery = query.get("token") ?? [];
  if (inQuery.length > 1) {
    const error = { parameter: "token", given: `${inQuery.length} tokens`, expected: "a single token" };
    return problem("request.parameters", "The query has more than one token.", { errors: [error] });
  }
  const fromQuery = inQuery[0]?.trim() ?? "";
  const fromHeader = headerToken(authorization);
  if (fromQuery !== "" && fromHeader !== "" && fromQuery !== fromHeader) return problem("request.tokens");
  return fromQuery || fromHeader || missing;
}

function headerOnlyToken(query: Query, authorization: string | undefined): string | Problem {
  if (query.get("token")?.some((token) => token.trim() !== "")) return problem("key.header", undefined, challenge);
  return headerToken(authorization) || missing;
}

const missing = problem("key.missing", undefined, challenge);

export const headerToken = (authorization: string | undefined): string =>
  /^\s*(?:token|bearer)\s+(\S+)\s*$/i.exec(authorization ?? "")?.[1] ?? "";

export function scopeProblem({ scopes, window }: Principal, needed: Scope): Problem | undefined {
  if (!hasScope(scopes, needed)) {
    const held = scopes.map((scope) => `"${scope}"`).join(", ");
    return problem("key.scope", `This requires the scope "${needed}"; this key has ${held}.`);
  }
  // Keys can't be created with both, but two concurrent updates may each be valid.
  if (!unrestrictedScopes.includes(needed) || window === undefined) return undefined;
  return problem(
    "key.scope",
    `The scope "${needed}" requires access to all records; this key has a history limit or a delay.`,
  );
}

/** Set if the key is licensed for none of the requested resources. */
export function resourceProblem({ resources }: Principal, requested: readonly string[]): Problem | undefined {
  if (resources === undefined || requested.some((name) => resources.includes(name))) return undefined;
  const names = requested.map((name) => `"${name}"`).join(", ");
  return problem(
    "key.resource",
    `This requires a license for ${names}; this key is licensed for ${resources.join(", ")}.`,
  );
}
