// What a webhook delivers: its resource, filters, and form of records, within the terms of its key.
import { type Visibility, visibilityOf } from "../core/access/visibility.ts";
import type { CompatTable } from "../core/catalog/compat.ts";
import type { Resource } from "../core/catalog/resource.ts";
import type { ParameterError } from "../core/problem.ts";
import type { Plan } from "../core/query/plan.ts";
import { licensesOf, parseListQuery } from "../core/query/planner.ts";
import { maxUrlLength, parseQuery, type Query } from "../core/query/query-string.ts";
import { rewriteQuery } from "../core/query/rewrite.ts";
import { compatStream, filtersOf } from "../core/query/stream.ts";
import type { WebhookRow } from "../core/webhook.ts";
import { validUntil } from "../keys/key-store.ts";
import { parameterError } from "../keys/terms.ts";
import type { EventForm } from "../live/entry-events.ts";
import { restForm } from "../live/event-form.ts";
import type { KeyRow, Store, StoreState } from "../store/store.ts";
import { payloadForm } from "./message.ts";

export type Lists = {
  readonly catalog: readonly Resource[];
  /** How lists are served to clients of other implementations. */
  readonly compatTable: CompatTable;
  /** Whether all keys are served that way. */
  readonly compat: boolean;
};

export type Definition = Pick<WebhookRow, "resource" | "filters" | "key">;

export type Compiled = {
  readonly resource: Resource;
  readonly plan: Plan;
  readonly form: EventForm;
  readonly delayMinutes: number;
  readonly visibility: Visibility | undefined;
  /** First second at which the key is no longer valid. */
  readonly until: number;
  /** Changes with the terms of the key. */
  readonly terms: string;
};

type CompileResult = { readonly ok: Compiled } | { readonly errors: readonly ParameterError[] };

/** All errors by member or by parameter of the list. */
export async function compile(
  definition: Definition,
  lists: Lists,
  store: Pick<Store, "listKeys">,
  state: StoreState,
  now: number,
): Promise<CompileResult> {
  const resource = lists.catalog.find(({ name }) => name === definition.resource);
  const key = definition.key === "" ? undefined : await findKey(store, definition.key);
  const { zone } = state.rendering;
  const isKeyMissing = definition.key !== "" && (key === undefined || now >= validUntil(key, zone));
  const errors: ParameterError[] = [];
  if (resource === undefined) {
    const expected = `one of ${lists.catalog.map(({ name }) => name).join(", ")}`;
    errors.push({ parameter: "resource", given: definition.resource, expected });
  }
  if (isKeyMissing) errors.push({ parameter: "key", given: definition.key, expected: "the name of a valid key" });
  if (resource === undefined) return { errors };
  const reading = readFilters(definition.filters, resource, lists, key, state);
  if (!isKeyMissing) errors.push(...keyErrors(key, resource, reading.query));
  if (errors.length > 0 || "errors" in reading)
    return { errors: [...errors, ...("errors" in reading ? reading.errors : [])] };
  const { parsedQuery } = reading;
  return {
    ok: {
      resource,
      plan: parsedQuery.plan,
      form: payloadForm(resource, restForm(parsedQuery, state.rendering)),
      delayMinutes: key?.delay ?? 0,
      visibility: key && visibilityOf(key, zone),
      until: key === undefined ? Number.POSITIVE_INFINITY : validUntil(key, zone),
      terms: termsOf(key),
    },
  };
}

/** The key with that name that hasn't been rotated, or the last one. */
const findKey = async (store: Pick<Store, "listKeys">, name: string): Promise<KeyRow | undefined> =>
  (await store.listKeys()).findLast((key) => key.name === name);

/** What of a key determines which events are delivered, and in which form. */
const termsOf = (key: KeyRow | undefined): string =>
  key === undefined
    ? ""
    : JSON.stringify([key.scopes, key.licenses, key.resources, key.history, key.delay, key.compat]);

function readFilters(
  filters: string,
  resource: Resource,
  { compatTable, compat }: Lists,
  key: KeyRow | undefined,
  state: StoreState,
) {
  const { query: sent, errors } = parseQuery(filters);
  const list = compat || key?.compat === true ? compatTable.get(resource) : undefined;
  const lenient = list && compatStream(list, filtersOf);
  const rewritten = lenient && rewriteQuery(lenient, sent);
  const query = rewritten?.query ?? sent;
  if (filters.length > maxUrlLength) {
    const expected = `at most ${maxUrlLength} characters`;
    return { query, errors: [{ parameter: "filters", given: `${filters.length} characters`, expected }] };
  }
  const reading = parseListQuery(lenient?.variant ?? filtersOf(resource), query, { zone: state.rendering.zone });
  const { ignored } = "errors" in reading ? reading : reading.ok;
  // A misspelled filter would deliver everything, for as long as nobody notices.
  const unknown = [...ignored, ...(rewritten?.ignored ?? [])].map((name) => {
    // Never a key, however short.
    const value = name === "token" ? "…" : query.get(name)?.join(", ");
    return parameterError(name, value, `a filter of ${resource.name}; unknown parameters are not allowed`);
  });
  const all = [...errors, ...("errors" in reading ? reading.errors : []), ...unknown];
  return all.length > 0 || "errors" in reading ? { query, errors: all } : { query, parsedQuery: reading.ok };
}

/** Why the key may not have these events. */
function keyErrors(key: KeyRow | undefined, resource: Resource, query: Query): ParameterError[] {
  if (key === undefined) return [];
  const expected = [
    ...(key.scopes.includes("read") ? [] : ['a key with the scope "read"']),
    ...(key.resources.length === 0 || key.resources.includes(resource.name) ? [] : [`a key for ${resource.name}`]),
    ...licensesOf(resource, query)
      .filter(({ license }) => !key.licenses.includes(license))
      .map(({ license, parameter }) => `a key with the license "${license}", which ${parameter} requires`),
  ];
  return expected.map((each) => ({ parameter: "key", given: key.name, expected: each }));
}
