// `/mcp`: the Model Context Protocol over streamable HTTP, without sessions. Loaded with the first request.
import type { FastifyReply, FastifyRequest } from "fastify";
import { exampleHost } from "../../core/catalog/endpoint.ts";
import type { Extension } from "../../core/catalog/extension.ts";
import type { Resource } from "../../core/catalog/resource.ts";
import { problem } from "../../core/problem.ts";
import type { Store } from "../../store/store.ts";
import type { Origins } from "../headers/cors.ts";
import { requireOrigin } from "../headers/require-origin.ts";
import type { Authenticate } from "../request/auth.ts";
import { jsonBody } from "../request/json-body.ts";
import { requireScope } from "../request/require-scope.ts";
import { ProblemError } from "../response/problem-error.ts";
import { type ListCallDeps, listCaller } from "./list-call.ts";

export type McpDeps = ListCallDeps & {
  readonly catalog: readonly Resource[];
  readonly extensions: readonly Extension[];
  readonly store: Store;
  readonly authenticate: Authenticate;
  readonly origins: Origins;
  /** Throws while requests can't be served. */
  readonly gate: () => Promise<void>;
  readonly info: { readonly version: string };
};

export function mcpHandler(deps: McpDeps) {
  let loading: ReturnType<typeof load> | undefined;
  return async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    await deps.gate();
    // The protocol demands it, against DNS rebinding: a page's own host is no proof of its origin.
    requireOrigin(request.headers.origin, deps.origins, "call tools");
    const { errors } = await requireScope(request, deps, "read");
    if (errors.length > 0) throw new ProblemError(problem("request.malformed", "The query is not valid."));
    const body = await jsonBody(request.raw);
    if ("problem" in body) throw new ProblemError(body.problem);
    loading ??= load(deps);
    const { serve } = await loading;
    const response = await serve(webRequest(request), body.members, listCaller(deps, request.exchange));
    // Without subscriptions every response ends.
    const text = await response.text();
    reply.code(response.status).header("cache-control", "no-store");
    for (const name of ["content-type", "allow"]) {
      const value = response.headers.get(name);
      if (value !== null) reply.header(name, value);
    }
    return reply.send(text);
  };
}

/** The SDK is large, and most servers never need it. */
async function load({ catalog, extensions, info }: McpDeps) {
  const [{ createMcpHandler }, { mcpServer }, { toolsFor }] = await Promise.all([
    import("@modelcontextprotocol/server"),
    import("../../mcp/server.ts"),
    import("../../mcp/tools.ts"),
  ]);
  const tools = toolsFor(catalog, extensions);
  return {
    serve: (request: Request, parsedBody: unknown, call: ReturnType<typeof listCaller>): Promise<Response> =>
      createMcpHandler(() => mcpServer(tools, call, info.version), {
        maxSubscriptions: 0,
        keepAliveMs: 0,
      }).fetch(request, { parsedBody }),
  };
}

function webRequest({ raw }: FastifyRequest): Request {
  const headers = Object.entries(raw.headers).flatMap(([name, value]): [string, string][] =>
    typeof value === "string" && name !== "authorization" ? [[name, value]] : [],
  );
  // The SDK receives the parsed body; its text is not read again.
  return new Request(`${exampleHost}/mcp`, { method: "POST", headers, body: "{}" });
}
