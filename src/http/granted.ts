// Lets in a request that needs a scope other than reading: its key stands in the header, never in the query.
import type { FastifyRequest } from "fastify";
import { type Mistake, problem } from "../core/problem.ts";
import { parseQuery, type Query } from "../core/query.ts";
import type { Scope } from "../core/scope.ts";
import type { State, Store } from "../store/store.ts";
import { type Authenticate, lackOfScope } from "./auth.ts";
import { ProblemError, queryOf, withoutToken } from "./list.ts";
import { negotiateFormat } from "./negotiate.ts";

export type Granted = {
  readonly state: State;
  readonly query: Query;
  /** What could not be read of the query; to be told with the other mistakes of its parameters. */
  readonly mistakes: readonly Mistake[];
};

/** Throws the problem of a request that is not let in: key, format, scope, in this order. */
export async function granted(
  request: FastifyRequest,
  { store, authenticate }: { readonly store: Store; readonly authenticate: Authenticate },
  scope: Scope,
): Promise<Granted> {
  const { query, mistakes } = parseQuery(queryOf(request.raw.url ?? ""));
  const state = await store.state();
  const { authorization, accept } = request.headers;
  const authenticated = await authenticate({ query, authorization, headerOnly: true }, state);
  if ("problem" in authenticated) throw new ProblemError(authenticated.problem);
  const { holder } = authenticated;
  request.holder = holder.name;
  if (negotiateFormat(accept, ["json"]) === undefined)
    throw new ProblemError(problem("format.unacceptable", "This endpoint answers with application/json."));
  const lack = lackOfScope(holder, scope);
  if (lack !== undefined) throw new ProblemError(lack);
  return { state, query, mistakes: mistakes.map(withoutToken) };
}
