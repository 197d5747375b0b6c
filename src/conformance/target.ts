// A list under check: its path, and how a server of the profile parses a query and encloses records.
import type { CompatList } from "../core/catalog/compat.ts";
import type { Listing } from "../core/catalog/extension.ts";
import type { Parameter } from "../core/catalog/parameter.ts";
import type { Envelope, Resource } from "../core/catalog/resource.ts";
import { type ParsedQuery, parseListQuery } from "../core/query/planner.ts";
import { parseQuery } from "../core/query/query-string.ts";
import { rewriteQuery } from "../core/query/rewrite.ts";
import type { WireRecord } from "../core/record/row.ts";
import type { Zone } from "../core/value/time-zone.ts";

/** `seed`: the interface to the letter. `compat`: as clients of other implementations expect. */
export type Profile = "seed" | "compat";

export const profiles: readonly Profile[] = ["seed", "compat"];

/** A name and a value before encoding. */
export type Pair = readonly [name: string, value: string];

/** A parsed request, or the names of its invalid parameters. */
type Expectation = { readonly query: ParsedQuery } | { readonly invalid: readonly string[] };

export type Target = {
  readonly profile: Profile;
  readonly resource: Resource;
  readonly path: string;
  /** Other paths of the same list. */
  readonly otherPaths: readonly string[];
  readonly envelope: Envelope;
  readonly order: Listing["order"];
  readonly rules: Listing["rules"];
  /** Those that a list of JSON records has. */
  readonly parameters: readonly Parameter<unknown>[];
  /** `query`: encoded. */
  parse(query: string, zone: Zone): Expectation;
};

export function targetOf(resource: Resource, compat: CompatList | undefined): Target {
  const listing = compat?.variant ?? resource;
  return {
    profile: compat === undefined ? "seed" : "compat",
    resource,
    path: resource.path,
    otherPaths: compat?.paths.map(({ path }) => path) ?? [],
    envelope: listing.envelope,
    order: listing.order,
    rules: listing.rules,
    parameters: listing.rules
      .flatMap(({ parameters }) => Object.values(parameters) as Parameter<unknown>[])
      .filter(({ inPath, opaque, forOtherFormats }) => !inPath && !opaque && !forOtherFormats),
    parse: (text, zone) => {
      const { query, errors } = parseQuery(text);
      if (errors.length > 0) return { invalid: errors.map(({ parameter }) => parameter) };
      const result = parseListQuery(listing, compat === undefined ? query : rewriteQuery(compat, query).query, {
        zone,
      });
      return "ok" in result ? { query: result.ok } : { invalid: result.errors.map(({ parameter }) => parameter) };
    },
  };
}

/** The records of a body; undefined if they aren't enclosed as the list says. */
export function recordsIn(envelope: Envelope, body: unknown): readonly WireRecord[] | undefined {
  const list = envelope === "array" ? body : isObject(body) ? body[envelope.key] : undefined;
  return Array.isArray(list) && list.every(isObject) ? (list as WireRecord[]) : undefined;
}

/** The body without any records. */
export function emptyBody(envelope: Envelope): string {
  if (envelope === "array") return "[]";
  const { key, alsoKey, members = {} } = envelope;
  return JSON.stringify({ ...members, [key]: [], ...(alsoKey === undefined ? {} : { [alsoKey]: [] }) });
}

export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const encodeName = (name: string): string => encodeURIComponent(name).replaceAll("%5B", "[").replaceAll("%5D", "]");

export const queryText = (pairs: readonly Pair[]): string =>
  pairs.map(([name, value]) => `${encodeName(name)}=${encodeURIComponent(value)}`).join("&");

export const urlOf = (path: string, query: string): string => (query === "" ? path : `${path}?${query}`);
