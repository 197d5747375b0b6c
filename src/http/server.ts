// Builds the application: hooks, routes from the catalogue, one error handler. Nothing listens here.
import { randomBytes } from "node:crypto";
import type { Socket } from "node:net";
import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest, LogController } from "fastify";
import { type Problem, problem } from "../core/problem.ts";
import type { Resource } from "../core/resource.ts";
import { hideKeys } from "../keys/key.ts";
import { type Store, StoreError } from "../store/store.ts";
import { authenticator } from "./auth.ts";
import { allowOrigins } from "./cors.ts";
import { listHandler, ProblemError } from "./list.ts";
import { type Log, loggedUrl } from "./log.ts";
import { cleanPath, unserved } from "./paths.ts";
import { problemAnswer } from "./problem-answer.ts";
import { referencePage } from "./reference-page.ts";

declare module "fastify" {
  interface FastifyRequest {
    /** Name of the key that asks, once it is known. */
    holder: string;
  }
}

export type ServerOptions = {
  readonly catalog: readonly Resource[];
  readonly store: Store;
  readonly log: Log;
  readonly openapi: object;
  readonly corsOrigins?: readonly string[];
  /** Unix seconds. */
  readonly now?: () => number;
};

/** Longest path and query together. */
const longestUrl = 16_384;

export type Server = {
  readonly app: FastifyInstance;
  /** From now on new requests are answered 503; those under way are finished. */
  drain(): void;
};

export async function buildServer(options: ServerOptions): Promise<Server> {
  const { catalog, store, log, now = () => Date.now() / 1000 } = options;
  let draining = false;
  const app = fastify({
    loggerInstance: log,
    // One line a request is written by the hook below.
    logController: new LogController({ disableRequestLogging: true }),
    // The line of a request may be 16 kB, and its headers as much again.
    http: { maxHeaderSize: 2 * longestUrl, headersTimeout: 20_000 },
    requestTimeout: 60_000,
    forceCloseConnections: "idle",
    return503OnClosing: false,
    genReqId: (request) => requestId(request.headers["x-request-id"]),
    routerOptions: {
      ignoreTrailingSlash: true,
      ignoreDuplicateSlashes: true,
      // Queries are read by the rules of the resource, never by the framework.
      querystringParser: () => ({}),
    },
    frameworkErrors: (error, request, reply) => {
      log.debug({ error: error.message }, "bad address");
      send(request, reply as FastifyReply, problem("request.malformed", "The path is not valid percent-encoding."));
    },
    clientErrorHandler: answerBrokenRequest,
  });
  app.decorateRequest("holder", "");

  const served = new Set<string>();
  app.addHook("onRoute", ({ url, method }) => {
    if ([method].flat().includes("GET")) served.add(cleanPath(url));
  });
  app.addHook("onRequest", async (request, reply) => {
    reply.header("x-request-id", request.id);
    const url = request.raw.url ?? "";
    if (url.length > longestUrl) throw new ProblemError(problem("request.url"));
    if (draining) {
      reply.header("connection", "close");
      throw new ProblemError(unavailable("This server is stopping."));
    }
  });
  allowOrigins(app, options.corsOrigins ?? ["*"]);
  app.addHook("onRequest", async (request) => {
    if (request.is404) throw new ProblemError(unserved(request.raw.url ?? "", served, catalog));
  });
  app.addHook("onResponse", async (request, reply) => {
    const { method, id, holder } = request;
    const bytes = Number(reply.getHeader("content-length") ?? 0);
    const ms = Math.round(reply.elapsedTime * 1000) / 1000;
    log.info(
      {
        request_id: id,
        method,
        url: loggedUrl(request.raw.url ?? ""),
        status: reply.statusCode,
        ms,
        bytes,
        key: holder,
      },
      "answered",
    );
  });
  app.setNotFoundHandler(() => {});
  app.setErrorHandler((error, request, reply) => {
    send(request, reply, problemOf(error as Error & { statusCode?: number }, request, log));
  });

  const deps = { store, authenticate: authenticator(store, now) };
  for (const resource of catalog) app.get(resource.path, listHandler(resource, deps));
  app.get("/livez", async () => ({ status: "ok" }));
  app.get("/readyz", async (_request, reply) => {
    await store.state();
    return reply.header("cache-control", "no-store").send({ status: "ok", checks: { database: "ok" } });
  });
  app.get("/", async (_request, reply) => reply.redirect("/docs"));
  await referencePage(app, { document: options.openapi });
  return {
    app,
    drain: () => {
      draining = true;
    },
  };
}

const unavailable = (detail: string): Problem =>
  problem("server.unavailable", detail, { headers: { "retry-after": "5" } });

/** Expected failures carry their problem; what is left is a lost database or our own fault. */
function problemOf(error: Error & { statusCode?: number }, request: FastifyRequest, log: Log): Problem {
  if (error instanceof ProblemError) return error.problem;
  const entry = {
    request_id: request.id,
    url: loggedUrl(request.raw.url ?? ""),
    error: hideKeys(error.stack ?? String(error)),
  };
  if (error instanceof StoreError) {
    log.error(entry, "the database failed");
    return unavailable("The database is not available.");
  }
  if (error.statusCode !== undefined && error.statusCode < 500) return problem("request.malformed", error.message);
  log.error(entry, "fault");
  return problem("server.fault");
}

function send(request: FastifyRequest, reply: FastifyReply, failure: Problem): void {
  const { status, headers, body } = problemAnswer(failure, request.id, request.headers.accept);
  // What the handler had prepared for a good answer does not belong to a problem.
  for (const name of ["etag", "content-encoding", "x-ignored-parameters"]) reply.removeHeader(name);
  void reply.code(status).headers(headers).send(body);
}

const boot = randomBytes(6).toString("hex");
let count = 0;

/** A client's own id is kept when it is plain; anything else gets a fresh one. */
function requestId(given: string | string[] | undefined): string {
  if (typeof given === "string" && /^[\w.-]{1,64}$/.test(given) && hideKeys(given) === given) return given;
  count++;
  return `${boot}-${count.toString(36)}`;
}

/** Requests that are not HTTP never reach the router; they get the same kind of answer. */
function answerBrokenRequest(error: Error & { code?: string }, socket: Socket): void {
  if (error.code === "ECONNRESET" || !socket.writable) {
    socket.destroy();
    return;
  }
  const code =
    error.code === "HPE_HEADER_OVERFLOW"
      ? "request.headers"
      : error.code === "ERR_HTTP_REQUEST_TIMEOUT"
        ? "request.timeout"
        : "request.malformed";
  const { status, headers, body } = problemAnswer(problem(code), requestId(undefined), undefined);
  const lines = Object.entries({ ...headers, "content-length": String(Buffer.byteLength(body)), connection: "close" });
  const reason =
    { 400: "Bad Request", 408: "Request Timeout", 431: "Request Header Fields Too Large" }[status] ?? "Error";
  socket.end(
    `HTTP/1.1 ${status} ${reason}\r\n${lines.map(([name, value]) => `${name}: ${value}\r\n`).join("")}\r\n${body}`,
  );
}
