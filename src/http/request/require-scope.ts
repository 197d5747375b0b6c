// Lets in a request that needs a scope other than reading: its key stands in the header, never in the query.
import type { FastifyRequest } from "fastify";
import type { Scope } from "../../core/access/scope.ts";
import type { Resource } from "../../core/catalog/resource.ts";
import { type ParameterError, problem } from "../../core/problem.ts";
import { parseQuery, type Query } from "../../core/query/query-string.ts";
import type { Store, StoreState } from "../../store/store.ts";
import { ProblemError } from "../response/problem-error.ts";
import { type Authenticate, missingResource, missingScope, type Principal } from "./auth.ts";
import { negotiateFormat } from "./negotiate.ts";
import { queryOf, withoutToken } from "./parsed-request.ts";

export type Granted = {
  readonly state: StoreState;
  readonly holder: Principal;
  readonly query: Query;
  /** What could not be read of the query; to be told with the other mistakes of its parameters. */
  readonly mistakes: readonly ParameterError[];
};

const forms = { json: "application/json", text: "text/plain" } as const;

/** Throws the problem of a request that is not let in: key, format, scope, resource, in this order. */
export async function granted(
  request: FastifyRequest,
  { store, authenticate }: { readonly store: Store; readonly authenticate: Authenticate },
  scope: Scope,
  { resource, form = "json" }: { readonly resource?: Resource; readonly form?: keyof typeof forms } = {},
): Promise<Granted> {
  const { query, errors } = parseQuery(queryOf(request.raw.url ?? ""));
  const state = await store.state();
  const authenticated = await authenticate({ query, request: request.raw, headerOnly: true }, state);
  request.exchange.key = authenticated.holder?.name ?? "";
  if ("problem" in authenticated) throw new ProblemError(authenticated.problem);
  const { holder } = authenticated;
  if (negotiateFormat(request.headers.accept, [form]) === undefined)
    throw new ProblemError(problem("format.unacceptable", `This endpoint answers with ${forms[form]}.`));
  const lack = missingScope(holder, scope) ?? (resource && missingResource(holder, [resource.name]));
  if (lack !== undefined) throw new ProblemError(lack);
  return { state, holder, query, mistakes: errors.map(withoutToken) };
}
