// Fastify setup, for everything but lists: error handling, 404 and 405, and hiding of admin paths from the public port.
import type { IncomingMessage } from "node:http";
import fastify, { type FastifyBaseLogger, type FastifyInstance, type FastifyRequest, LogController } from "fastify";
import type { Extension } from "../core/catalog/extension.ts";
import type { Resource } from "../core/catalog/resource.ts";
import { problem } from "../core/problem.ts";
import { maxUrlLength } from "../core/query/query-string.ts";
import { toProblem } from "./error-handler.ts";
import { type Exchange, exchangeOf } from "./exchange.ts";
import type { Listener } from "./listener.ts";
import { cleanPath, isAdminRoute, notFound, publicRoutes, routeOf } from "./not-found.ts";
import { noRoute, type Route } from "./observe/access-log.ts";
import type { Log } from "./observe/log.ts";
import { ProblemError } from "./response/problem-error.ts";
import type { WriteProblem } from "./response/write-problem.ts";
import { noSchemas } from "./skip-schema-compilers.ts";
import { streamPaths } from "./streams/stream-router.ts";

declare module "fastify" {
  interface FastifyRequest {
    readonly exchange: Exchange;
  }
  interface FastifyContextConfig {
    route?: Route;
  }
}

type FrameworkOptions = {
  readonly catalog: readonly Resource[];
  readonly extensions: readonly Extension[];
  readonly listener: Listener;
  readonly log: Log;
  readonly writeProblem: WriteProblem;
  /** Whether a request came in on the public port of a server with a separate admin port. */
  readonly isPublic: (request: IncomingMessage) => boolean;
};

export function buildFramework(options: FrameworkOptions): FastifyInstance {
  const { log, listener, writeProblem } = options;
  const app = fastify({
    // At level info, Fastify logs that it is listening before the database is ready.
    loggerInstance: (log.isLevelEnabled("info") ? log.child({}, { level: "warn" }) : log) as FastifyBaseLogger,
    logController: new LogController({ disableRequestLogging: true }),
    serverFactory: () => listener.newServer(),
    forceCloseConnections: "idle",
    return503OnClosing: false,
    genReqId: (request) => exchangeOf(request as IncomingMessage).id,
    routerOptions: {
      ignoreTrailingSlash: true,
      ignoreDuplicateSlashes: true,
      // Query strings are parsed by the rules of each endpoint.
      querystringParser: () => ({}),
      // A segment may be as long as the path.
      maxParamLength: maxUrlLength,
    },
    frameworkErrors: (error, request, reply) => {
      log.debug({ error: error.message }, "bad path");
      reply.hijack();
      writeProblem(exchangeOf(request.raw), problem("request.malformed", "The path is not valid percent-encoding."));
    },
    // The listener handles connection errors.
    clientErrorHandler: () => {},
    schemaController: noSchemas,
  });
  app.decorateRequest("exchange", {
    getter(this: FastifyRequest) {
      return exchangeOf(this.raw);
    },
  });
  app.setErrorHandler((error, request, reply) => {
    reply.hijack();
    writeProblem(request.exchange, toProblem(error as Error, request.id, request.raw, log));
  });
  rejectUnserved(app, options);
  return app;
}

function rejectUnserved(app: FastifyInstance, { catalog, extensions, isPublic }: FrameworkOptions): void {
  const readOnly = [...[...catalog, ...extensions].map(({ path }) => path), ...streamPaths(catalog)];
  const served = new Map(readOnly.map((path) => [routeOf(path), new Set(["GET", "HEAD"])]));
  app.addHook("onRoute", ({ url, method }) => {
    const path = cleanPath(url);
    served.set(path, new Set([...(served.get(path) ?? []), ...[method].flat()]));
  });
  app.addHook("onRequest", async (request) => {
    const { url = "" } = request.raw;
    const { url: route = "", config } = request.routeOptions;
    request.exchange.route = config?.route ?? noRoute;
    const isHidden = isPublic(request.raw);
    // The router treats `*`, which isn't a path, like a slash.
    if (request.is404 || url.startsWith("*") || (isHidden && isAdminRoute(route)))
      throw new ProblemError(notFound(url, isHidden ? publicRoutes(served) : served, catalog, extensions));
  });
  app.setNotFoundHandler(() => {});
}
