// Who asks: the token of a request → a key, or the problem with it.
import type { IncomingMessage } from "node:http";
import type { Scope } from "../../core/access/scope.ts";
import { type Visibility, visibilityOf } from "../../core/access/visibility.ts";
import { type Problem, problem } from "../../core/problem.ts";
import type { Query } from "../../core/query/query-string.ts";
import { dayBounds, type Zone } from "../../core/value/time-zone.ts";
import { hashKey, isKey } from "../../keys/key.ts";
import { networkMatcher } from "../../keys/networks.ts";
import { redactKeys } from "../../keys/redact.ts";
import type { Allowance } from "../../limits/allowance.ts";
import type { KeyRow, Store, StoreState } from "../../store/store.ts";
import type { BruteForceGuard } from "./brute-force.ts";
import type { ClientAddress } from "./client-ip.ts";
import type { RateLimits } from "./rate-limit.ts";

export type Principal = Pick<KeyRow, "name" | "licenses" | "scopes"> & {
  /** First second at which the key is no longer good. */
  readonly until: number;
  /** What its requests are counted against; undefined: nothing. */
  readonly allowance: Allowance | undefined;
  /** Resources that it may see and write; undefined: all. */
  readonly resources: readonly string[] | undefined;
  /** Whether it may be used from an address; undefined: from all. */
  readonly isFrom: ((address: string) => boolean) | undefined;
  /** Origins of pages that may use it; undefined: all, and programs that send none. */
  readonly origins: readonly string[] | undefined;
  /** What it sees of a list; undefined: all. */
  readonly window: Visibility | undefined;
};

/** Keys held in memory; the memory is emptied when it is full or any key changes. */
const mostKnown = 10_000;

export type Authenticate = (
  request: {
    readonly query: Query;
    readonly request: IncomingMessage;
    /** A token in the query is refused, whatever it is. */
    readonly headerOnly?: boolean;
  },
  state: StoreState,
) => Authenticated | Promise<Authenticated>;

export type Authenticated = { readonly holder: Principal } | Rejected;

/** The key is named where it is known: what it is refused is counted too. */
export type Rejected = { readonly problem: Problem; readonly holder?: Principal };

export type AuthenticatorDeps = {
  readonly store: Store;
  readonly admission: RateLimits;
  readonly guesses: BruteForceGuard;
  readonly addressOf: ClientAddress;
  /** Unix seconds. */
  readonly now: () => number;
};

export function authenticator({ store, admission, guesses, addressOf, now }: AuthenticatorDeps): Authenticate {
  const known = new Map<string, Principal>();
  let seenKeys = -1;
  let newestKeys = -1;
  let seenZone: unknown;

  const unknown = (request: IncomingMessage) => ({ problem: guesses.refuse(addressOf(request)) });

  const admit = (holder: Principal, request: IncomingMessage): Authenticated | Promise<Authenticated> => {
    if (now() >= holder.until) return unknown(request);
    const refused = refusedOrigin(holder, () => addressOf(request), request.headers.origin);
    if (refused !== undefined) return { problem: refused, holder };
    return holder.allowance === undefined ? { holder } : admitLimited(holder, holder.allowance, request);
  };

  const admitLimited = async (holder: Principal, allowance: Allowance, request: IncomingMessage) => {
    const refused = await admission.admit(request, allowance);
    return refused === undefined ? { holder } : { problem: refused, holder };
  };

  const lookUp = async (hash: string, request: IncomingMessage, state: StoreState): Promise<Authenticated> => {
    if (!(await guesses.mayBeKey(hash, addressOf(request), state))) return unknown(request);
    const row = await store.findKey(hash, state);
    if (row === undefined || (row.revoked !== undefined && row.retires === undefined)) return unknown(request);
    // One that is over keeps the terms of its last day, and must not bring them back for those of its name.
    const until = Math.min(row.retires ?? Number.POSITIVE_INFINITY, expiryOf(row, state.rendering.zone));
    if (now() >= until) return unknown(request);
    // Another request may have seen a newer set of keys meanwhile; what was read before it must not stay.
    const isCurrent = state.keysVersion === seenKeys && state.rendering.zone === seenZone;
    // A replica may be behind; limits are shared by all requests of a name, and don't go back with it.
    const allowance = admission.allowanceOf(row, state.rendering.zone, isCurrent && state.keysVersion === newestKeys);
    const holder = holderOf(row, until, allowance, state.rendering.zone);
    if (isCurrent) known.set(hash, holder);
    return admit(holder, request);
  };

  return ({ query, request, headerOnly = false }, state) => {
    const { authorization } = request.headers;
    const token = headerOnly ? tokenOfHeader(query, authorization) : tokenOf(query, authorization);
    if (typeof token !== "string") return { problem: token };
    if (state.keysVersion !== seenKeys || state.rendering.zone !== seenZone || known.size >= mostKnown) {
      known.clear();
      seenKeys = state.keysVersion;
      seenZone = state.rendering.zone;
    }
    newestKeys = Math.max(newestKeys, state.keysVersion);
    if (!isKey(token)) return unknown(request);
    const hash = hashKey(token);
    const holder = known.get(hash);
    return holder === undefined ? lookUp(hash, request, state) : admit(holder, request);
  };
}

function holderOf(row: KeyRow, until: number, allowance: Allowance | undefined, zone: Zone): Principal {
  const { name, licenses, scopes, resources, origins, networks } = row;
  return {
    name,
    licenses,
    scopes,
    until,
    allowance,
    resources: resources.length === 0 ? undefined : resources,
    isFrom: networks.length === 0 ? undefined : networkMatcher(networks),
    origins: origins.length === 0 ? undefined : origins,
    window: visibilityOf(row, zone),
  };
}

/** A key is good through the end of its last day, in the service's zone. */
export const expiryOf = ({ expires }: KeyRow, zone: Zone): number =>
  expires === "" ? Number.POSITIVE_INFINITY : dayBounds(zone, expires).before;

/** What is wrong when a key may not be used from where a request comes. */
function refusedOrigin(
  { isFrom, origins }: Principal,
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
    const mistake = { parameter: "token", given: `${inQuery.length} tokens`, expected: "to be given once" };
    return problem("request.parameters", "token was given more than once.", { errors: [mistake] });
  }
  const fromQuery = inQuery[0]?.trim() ?? "";
  const fromHeader = tokenInHeader(authorization);
  if (fromQuery !== "" && fromHeader !== "" && fromQuery !== fromHeader) return problem("request.tokens");
  return fromQuery || fromHeader || missing;
}

function tokenOfHeader(query: Query, authorization: string | undefined): string | Problem {
  if (query.get("token")?.some((token) => token.trim() !== "")) return problem("key.header", undefined, challenge);
  return tokenInHeader(authorization) || missing;
}

const missing = problem("key.missing", undefined, challenge);

export const tokenInHeader = (authorization: string | undefined): string =>
  /^\s*(?:token|bearer)\s+(\S+)\s*$/i.exec(authorization ?? "")?.[1] ?? "";

/** What is wrong when a key lacks the scope that a request needs. */
export function missingScope({ scopes, window }: Principal, needed: Scope): Problem | undefined {
  if (!scopes.includes(needed)) {
    const held = scopes.map((scope) => `"${scope}"`).join(", ");
    return problem("key.scope", `This needs the scope "${needed}"; this key holds ${held}.`);
  }
  // Terms that exclude each other are refused, but two changes at once may each be good by itself.
  if (needed !== "replicate" || window === undefined) return undefined;
  return problem("key.scope", 'The scope "replicate" sees all, and this key has a history or a delay.');
}

/** What is wrong when a key was not sold any of the resources that a request is about. */
export function missingResource({ resources }: Principal, asked: readonly string[]): Problem | undefined {
  if (resources === undefined || asked.some((name) => resources.includes(name))) return undefined;
  const wanted = asked.map((name) => `"${name}"`).join(", ");
  return problem("key.resource", `This needs ${wanted}; this key is for ${resources.join(", ")}.`);
}
