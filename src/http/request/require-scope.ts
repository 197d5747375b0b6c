// Authorizes requests for any scope other than read: the key must be in the header, never in the query.
import type { FastifyRequest } from "fastify";
import type { Scope } from "../../core/access/scope.ts";
import type { Resource } from "../../core/catalog/resource.ts";
import { type ParameterError, problem } from "../../core/problem.ts";
import { parseQuery, type Query, queryOf } from "../../core/query/query-string.ts";
import type { Store, StoreState } from "../../store/store.ts";
import { ProblemError } from "../response/problem-error.ts";
import { type Authenticate, type Principal, resourceProblem, scopeProblem } from "./auth.ts";
import { negotiateFormat } from "./negotiate.ts";
import { withoutToken } from "./parsed-request.ts";

type Authorized = {
  readonly state: StoreState;
  readonly principal: Principal;
  readonly query: Query;
  /** Errors of the query's encoding, to be reported together with those of its parameters. */
  readonly errors: readonly ParameterError[];
};

const mediaTypes = { json: "application/json", text: "text/plain" } as const;

/** Throws a ProblemError unless key, format, scope, and resource, in this order, are accepted. */
export async function requireScope(
  request: FastifyRequest,
  { store, authenticate }: { readonly store: Store; readonly authenticate: Authenticate },
  scope: Scope,
  {
    resource,
    format = "json",
  }: { readonly resource?: Resource; readonly format?: keyof typeof mediaTypes | "any" } = {},
): Promise<Authorized> {
  const { query, errors } = parseQuery(queryOf(request.raw.url ?? ""));
  const state = await store.state();
  const authenticated = await authenticate({ query, request: request.raw, headerOnly: true }, state);
  request.exchange.key = authenticated.principal?.name ?? "";
  if ("problem" in authenticated) throw new ProblemError(authenticated.problem);
  const { principal } = authenticated;
  if (format !== "any" && negotiateFormat(request.headers.accept, [format]) === undefined)
    throw new ProblemError(problem("format.unacceptable", `This endpoint responds with ${mediaTypes[format]}.`));
  const refusal = scopeProblem(principal, scope) ?? (resource && resourceProblem(principal, [resource.name]));
  if (refusal !== undefined) throw new ProblemError(refusal);
  return { state, principal, query, errors: errors.map(withoutToken) };
}
