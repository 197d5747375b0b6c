// Serves the endpoints that are described as data: authorization, input parsing, and responses.
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { Scope } from "../../core/access/scope.ts";
import type { Endpoint } from "../../core/catalog/endpoint.ts";
import { fieldOf, type Resource } from "../../core/catalog/resource.ts";
import type { ParameterMap, Values } from "../../core/catalog/rule.ts";
import { formats } from "../../core/output/format.ts";
import type { ParameterError } from "../../core/problem.ts";
import { parseParameters } from "../../core/query/planner.ts";
import type { Query } from "../../core/query/query-string.ts";
import type { Store, StoreState } from "../../store/store.ts";
import { setIgnoredHeader, throwIfInvalid } from "../headers/ignored-parameters.ts";
import { routeOf } from "../not-found.ts";
import { type Authenticate, type Principal, resourceProblem } from "../request/auth.ts";
import { type BodyFormat, bodyFormat } from "../request/body.ts";
import { jsonBody } from "../request/json-body.ts";
import { negotiateEncoding } from "../request/negotiate.ts";
import { requireScope } from "../request/require-scope.ts";
import { minCompressedBytes, tryCompress } from "../response/compress.ts";
import { withoutBodyForHead } from "../response/head.ts";
import { ProblemError } from "../response/problem-error.ts";

/** A request that has passed every check that its endpoint's description implies. */
export type Call<I extends ParameterMap = ParameterMap> = {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  readonly state: StoreState;
  readonly principal: Principal;
  readonly query: Query;
  readonly values: Values<I>;
  readonly segments: Readonly<Record<string, string>>;
  /** Of a body that is one JSON object. */
  readonly members: Readonly<Record<string, unknown>>;
  /** Of a body of records. */
  readonly form: BodyFormat | undefined;
};

/** The body is sent as JSON; a string is JSON already. */
export type Outcome = { readonly status?: number; readonly body: object | string };

type InputsOf<E> = E extends { parameters: infer I } ? (I extends (resource: Resource) => infer R ? R : I) : object;
type CallOf<E> = InputsOf<E> extends infer I extends ParameterMap ? Call<I> : Call;

export type Handler<E extends Endpoint = Endpoint> = E extends { unguarded: true }
  ? (request: FastifyRequest, reply: FastifyReply) => Promise<unknown>
  : E extends { perResource: true }
    ? (call: CallOf<E>, resource: Resource) => Promise<Outcome>
    : (call: CallOf<E>) => Promise<Outcome>;

/** An endpoint without a handler does not type-check. */
export type Handlers<E extends Readonly<Record<string, Endpoint>>> = { readonly [Id in keyof E]: Handler<E[Id]> };

export type EndpointDeps = {
  readonly catalog: readonly Resource[];
  readonly store: Store;
  readonly authenticate: Authenticate;
  /** Throws while requests can't be served. */
  readonly gate: () => Promise<void>;
};

type Guarded = (call: Call, resource?: Resource) => Promise<Outcome>;

export function serveEndpoints<E extends Readonly<Record<string, Endpoint>>>(
  app: FastifyInstance,
  endpoints: E,
  handlers: Handlers<E>,
  deps: EndpointDeps,
): void {
  // Bodies are read after authorization; the framework would read them before.
  for (const method of ["POST", "PATCH", "DELETE"])
    app.addHttpMethod(method, { hasBody: false, overrideExisting: true });
  for (const [id, endpoint] of Object.entries(endpoints)) {
    const { method, path, scope, perResource, unguarded } = endpoint;
    const config = (resource = "") => (scope === undefined ? {} : { route: { use: scope, resource } });
    if (unguarded || scope === undefined) {
      app.route({
        method,
        url: routeOf(path),
        config: config(),
        handler: handlers[id] as Handler<{ unguarded: true } & Endpoint>,
      });
      continue;
    }
    for (const resource of perResource ? deps.catalog : [undefined])
      app.route({
        method: method === "GET" ? ["GET", "HEAD"] : method,
        url: routeOf(path.replace("{resource}", resource?.name ?? "")),
        config: config(resource?.name),
        onRequest: deps.gate,
        onSend: withoutBodyForHead,
        handler: guarded(endpoint, scope, resource, handlers[id] as unknown as Guarded, deps),
      });
  }
}

function guarded(
  endpoint: Endpoint,
  scope: Scope,
  resource: Resource | undefined,
  handle: Guarded,
  deps: EndpointDeps,
) {
  const inputs = inputsOf(endpoint, resource);
  return async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const {
      state,
      principal,
      query,
      errors: queryErrors,
    } = await requireScope(request, deps, scope, resource && { resource });
    const { values, errors: parameterErrors, ignored } = parseParameters(inputs, query);
    const refusal = typeof values.resource === "string" ? resourceProblem(principal, [values.resource]) : undefined;
    if (refusal !== undefined) throw new ProblemError(refusal);
    const form = endpoint.body?.kind === "records" ? formOf(request) : undefined;
    const { segments, errors: segmentErrors } = readSegments(request.params as Record<string, string>, resource);
    throwIfInvalid([...queryErrors, ...parameterErrors, ...segmentErrors]);
    setIgnoredHeader(reply, ignored);
    const members = endpoint.body?.kind === "object" ? await membersOf(request) : {};
    const call: Call = { request, reply, state, principal, query, values, segments, members, form };
    const { status = 200, body } = await handle(call, resource);
    reply.code(status).header("cache-control", "no-store").type(formats.json.contentType);
    const text = typeof body === "string" ? body : JSON.stringify(body);
    return endpoint.compressed ? sendCompressed(request, reply, text) : reply.send(text);
  };
}

function inputsOf({ parameters = {} }: Endpoint, resource: Resource | undefined): ParameterMap {
  if (typeof parameters !== "function") return parameters;
  if (resource === undefined) throw new Error("parameters depend on a resource, but the endpoint is not per resource");
  return parameters(resource);
}

function formOf({ headers }: FastifyRequest): BodyFormat {
  const form = bodyFormat(headers);
  if ("code" in form) throw new ProblemError(form);
  return form;
}

async function membersOf({ raw }: FastifyRequest): Promise<Call["members"]> {
  const read = await jsonBody(raw);
  if ("problem" in read) throw new ProblemError(read.problem);
  return read.members;
}

/** Parses an ID as the resource stores it. */
function readSegments(segments: Call["segments"], resource: Resource | undefined) {
  const errors: ParameterError[] = [];
  const { id: sent } = segments;
  if (sent === undefined || resource === undefined) return { segments, errors };
  const field = fieldOf(resource, "id");
  const onInvalid = (expected: string) => errors.push({ parameter: "id", given: sent, expected });
  const id = field.validate(field.fromCsv(sent), onInvalid);
  return { segments: { ...segments, id: String(id) }, errors };
}

async function sendCompressed(request: FastifyRequest, reply: FastifyReply, text: string): Promise<FastifyReply> {
  const body = Buffer.from(text);
  reply.header("vary", ["Accept, Accept-Encoding", reply.raw.getHeader("vary")].filter(Boolean).join(", "));
  const accepted = request.headers["accept-encoding"]?.toString();
  const encoding = body.length < minCompressedBytes ? undefined : negotiateEncoding(accepted);
  const encoded = encoding === undefined ? undefined : await tryCompress(body, encoding);
  if (encoding === undefined || encoded === undefined) return reply.send(body);
  return reply.header("content-encoding", encoding).send(encoded);
}
