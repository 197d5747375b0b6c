// Who asks: the token of a request → a key, or the problem with it.
import { type Problem, problem } from "../core/problem.ts";
import type { Query } from "../core/query.ts";
import type { Scope } from "../core/scope.ts";
import { dayBounds } from "../core/zone.ts";
import { hashKey, isKey } from "../keys/key.ts";
import type { KeyRow, State, Store } from "../store/store.ts";

export type Holder = {
  readonly name: string;
  readonly licenses: readonly string[];
  readonly scopes: readonly string[];
  /** First second at which the key is no longer good. */
  readonly until: number;
};

/** Keys held in memory; the memory is emptied when it is full or any key changes. */
const mostKnown = 10_000;

export type Authenticate = (
  request: {
    readonly query: Query;
    readonly authorization: string | undefined;
    /** A token in the query is refused, whatever it is. */
    readonly headerOnly?: boolean;
  },
  state: State,
) => Promise<{ readonly holder: Holder } | { readonly problem: Problem }>;

export function authenticator(store: Store, now: () => number): Authenticate {
  const known = new Map<string, Holder>();
  let seenKeys = -1;
  let seenZone: unknown;

  return async ({ query, authorization, headerOnly = false }, state) => {
    const token = headerOnly ? tokenOfHeader(query, authorization) : tokenOf(query, authorization);
    if (typeof token !== "string") return { problem: token };
    if (state.keys !== seenKeys || state.rendering.zone !== seenZone || known.size >= mostKnown) {
      known.clear();
      seenKeys = state.keys;
      seenZone = state.rendering.zone;
    }
    const hash = isKey(token) ? hashKey(token) : undefined;
    if (hash === undefined) return unknown;
    let holder = known.get(hash);
    if (holder === undefined) {
      const row = await store.findKey(hash, state);
      if (row === undefined || row.revoked !== undefined) return unknown;
      const { name, licenses, scopes } = row;
      holder = { name, licenses, scopes, until: untilOf(row, state) };
      // Another request may have seen a newer set of keys meanwhile; what was read before it must not stay.
      if (state.keys === seenKeys && state.rendering.zone === seenZone) known.set(hash, holder);
    }
    return now() < holder.until ? { holder } : unknown;
  };
}

/** A key is good through the end of its last day, in the service's zone. */
function untilOf({ expires }: KeyRow, { rendering }: State): number {
  return expires === "" ? Number.POSITIVE_INFINITY : dayBounds(rendering.zone, expires).before;
}

const challenge = { headers: { "www-authenticate": 'Bearer realm="bellwire"' } };

/** One text for unknown, expired and revoked: a stranger learns nothing of which keys there were. */
const unknown = { problem: problem("key.unknown", undefined, challenge) };

function tokenOf(query: Query, authorization: string | undefined): string | Problem {
  const inQuery = query.get("token") ?? [];
  if (inQuery.length > 1) {
    const mistake = { parameter: "token", given: `${inQuery.length} tokens`, expected: "to be given once" };
    return problem("request.parameters", "token was given more than once.", { errors: [mistake] });
  }
  const fromQuery = inQuery[0]?.trim() ?? "";
  const fromHeader = inHeader(authorization);
  if (fromQuery !== "" && fromHeader !== "" && fromQuery !== fromHeader) return problem("request.tokens");
  return fromQuery || fromHeader || missing;
}

function tokenOfHeader(query: Query, authorization: string | undefined): string | Problem {
  if (query.get("token")?.some((token) => token.trim() !== "")) return problem("key.header", undefined, challenge);
  return inHeader(authorization) || missing;
}

const missing = problem("key.missing", undefined, challenge);

const inHeader = (authorization: string | undefined): string =>
  /^\s*(?:token|bearer)\s+(\S+)\s*$/i.exec(authorization ?? "")?.[1] ?? "";

/** What is wrong when a key lacks the scope that a request needs. */
export function lackOfScope({ scopes }: Holder, needed: Scope): Problem | undefined {
  if (scopes.includes(needed)) return undefined;
  const held = scopes.map((scope) => `"${scope}"`).join(", ");
  return problem("key.scope", `This needs the scope "${needed}"; this key holds ${held}.`);
}
