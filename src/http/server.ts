// Builds the application: hooks, routes from the catalogue, one error handler. Nothing listens here.
import { type IncomingMessage, type RequestListener, STATUS_CODES } from "node:http";
import type { Duplex } from "node:stream";
import fastify, {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  LogController,
} from "fastify";
import { type Extension, hasNames } from "../core/extension.ts";
import { type Problem, problem } from "../core/problem.ts";
import type { Resource } from "../core/resource.ts";
import { hideKeys } from "../keys/key.ts";
import { type Store, StoreError } from "../store/store.ts";
import { answerCache } from "./answer-cache.ts";
import { authenticator } from "./auth.ts";
import { limitArrival } from "./body.ts";
import { changeRoutes } from "./changes.ts";
import { allowedOrigins, answerOrigins } from "./cors.ts";
import { answerDirectly } from "./direct.ts";
import { type Asked, type List, listOf, ProblemError } from "./list.ts";
import { type Log, logAnswered, loggedUrl } from "./log.ts";
import { cleanPath, ofOtherVersion, otherMethod, routeOf, unserved } from "./paths.ts";
import { problemAnswer } from "./problem-answer.ts";
import { defaultWriteLimits, recordRoutes, type WriteLimits } from "./records.ts";
import { referencePage } from "./reference-page.ts";
import { requestId } from "./request-id.ts";
import { answersUnderWay } from "./under-way.ts";

declare module "fastify" {
  interface FastifyRequest {
    /** Name of the key that asks, once it is known. */
    holder: string;
  }
}

export type ServerOptions = {
  readonly catalog: readonly Resource[];
  /** Lists beside those of the catalogue. */
  readonly extensions?: readonly Extension[];
  readonly store: Store;
  readonly log: Log;
  readonly openapi: object;
  readonly corsOrigins?: readonly string[];
  /** How much memory answers may take that are kept for the next who asks; 0: none are. */
  readonly cacheBytes?: number;
  /** Why requests for records are answered 503 for now; undefined once they can be answered. */
  readonly waiting?: () => string | undefined;
  readonly writeLimits?: Partial<WriteLimits>;
  /** Unix seconds. */
  readonly now?: () => number;
};

/** Longest path and query together. */
const longestUrl = 16_384;

export type Server = {
  readonly app: FastifyInstance;
  /** What the server does with a request. */
  readonly handle: RequestListener;
  /** From now on new requests are answered 503; resolves when the answers under way have been handed to the system. */
  drain(): Promise<void>;
};

export async function buildServer(options: ServerOptions): Promise<Server> {
  const { catalog, extensions = [], store, log, now = () => Date.now() / 1000 } = options;
  const underWay = answersUnderWay();
  const origins = allowedOrigins(options.corsOrigins ?? ["*"]);
  const app = fastify({
    loggerInstance: log as FastifyBaseLogger,
    // One line a request is written by the hook below.
    logController: new LogController({ disableRequestLogging: true }),
    // The line of a request may be 16 kB, and its headers as much again.
    // A missing Host is refused below: Node.js would do it with no body and no id.
    http: { maxHeaderSize: 2 * longestUrl, headersTimeout: 20_000, requireHostHeader: false },
    forceCloseConnections: "idle",
    return503OnClosing: false,
    genReqId: (request) => requestId(request.headers["x-request-id"]),
    routerOptions: {
      ignoreTrailingSlash: true,
      ignoreDuplicateSlashes: true,
      // Queries are read by the rules of the resource, never by the framework.
      querystringParser: () => ({}),
      // A segment of a path may be as long as the path.
      maxParamLength: longestUrl,
    },
    frameworkErrors: (error, request, reply) => {
      log.debug({ error: error.message }, "bad address");
      send(request, reply as FastifyReply, problem("request.malformed", "The path is not valid percent-encoding."));
    },
    clientErrorHandler: answerBrokenRequest,
  });
  // Left to Node.js, an unknown expectation gets an empty answer and CONNECT none at all.
  app.server.on("checkExpectation", (request, response) => app.server.emit("request", request, response));
  app.server.on("connect", (_request, socket) => {
    // Such a socket is let go by Node.js: nobody else would hear of its errors or close it.
    for (const event of ["error", "finish"]) socket.on(event, () => socket.destroy());
    answerOnSocket(socket, otherMethod("CONNECT is not served."));
  });
  app.decorateRequest("holder", "");

  const served = new Map<string, Set<string>>();
  app.addHook("onRoute", ({ url, method }) => {
    const path = cleanPath(url);
    served.set(path, new Set([...(served.get(path) ?? []), ...[method].flat()]));
  });
  app.addHook("onRequest", async (request, reply) => {
    reply.header("x-request-id", request.id);
    limitArrival(request.raw);
  });
  // Before anything can be refused: a page of another site may read a refusal too.
  answerOrigins(app, origins);
  app.addHook("onRequest", async (request, reply) => {
    const url = request.raw.url ?? "";
    if (url.length > longestUrl) throw new ProblemError(problem("request.url"));
    if (!hasOneHost(request.raw))
      throw new ProblemError(problem("request.malformed", "The request needs one Host header."));
    if (underWay.isDraining) {
      reply.header("connection", "close");
      throw new ProblemError(unavailable("This server is stopping."));
    }
    underWay.add(reply.raw);
  });
  app.addHook("onRequest", async (request) => {
    const url = request.raw.url ?? "";
    // The router takes `*` for a slash; it is an address of no path.
    if (request.is404 || url.startsWith("*")) throw new ProblemError(unserved(url, served, catalog, extensions));
  });
  app.addHook("onResponse", async (request, reply) => {
    const bytes = Number(reply.getHeader("content-length") ?? 0);
    const { statusCode: status, elapsedTime: ms } = reply;
    logAnswered(log, request.raw, { id: request.id, status, ms, bytes, key: request.holder });
  });
  app.setNotFoundHandler(() => {});
  app.setErrorHandler((error, request, reply) => {
    send(request, reply, problemOf(error as Error & { statusCode?: number }, request, log));
  });

  const gate = async () => {
    const reason = options.waiting?.();
    if (reason !== undefined) throw new ProblemError(unavailable(reason));
  };
  const cache = answerCache(options.cacheBytes ?? 0);
  const deps = { store, cache, authenticate: authenticator(store, now), varyByOrigin: origins.vary };
  const listings = [...catalog, ...extensions];
  const ownVersion = async (request: FastifyRequest) => {
    const problem = ofOtherVersion(request.raw.url ?? "", listings);
    if (problem !== undefined) throw new ProblemError(problem);
  };
  const lists = new Map(listings.map((listing) => [listing, listOf(listing, deps)]));
  for (const [listing, list] of lists) {
    app.route({
      method: ["GET", "HEAD"],
      url: routeOf(listing.path),
      onRequest: hasNames(listing) ? [ownVersion, gate] : gate,
      handler: listRoute(list),
      onSend: withoutBodyForHead,
    });
  }
  const limits = { ...defaultWriteLimits, ...options.writeLimits };
  changeRoutes(app, { catalog, ...deps, gate, onSend: withoutBodyForHead });
  recordRoutes(app, { catalog, ...deps, log, limits, gate, now });
  app.get("/livez", async () => ({ status: "ok" }));
  app.get("/readyz", async (_request, reply) => {
    await gate();
    const { ready, checks } = await store.health();
    if (!ready) throw new ProblemError(unavailable("No database can be reached."));
    const status = Object.values(checks).every((check) => check === "ok") ? "ok" : "degraded";
    return reply.header("cache-control", "no-store").send({ status, checks });
  });
  app.get("/", async (_request, reply) => reply.redirect("/docs"));
  await referencePage(app, { document: options.openapi });
  const isOdd = (request: IncomingMessage): boolean =>
    underWay.isDraining ||
    options.waiting?.() !== undefined ||
    (request.url ?? "").length > longestUrl ||
    !hasOneHost(request);
  const framework: RequestListener = (request, response) => app.routing(request, response);
  const handle = answerDirectly({ lists, store, cache, origins, underWay, log, isOdd, now, framework });
  app.server.removeAllListeners("request").on("request", handle);
  return { app, handle, drain: underWay.drain };
}

/** A list through the framework: HEAD, odd spellings of the path, and everything that is refused. */
const listRoute = (list: List) => async (request: FastifyRequest, reply: FastifyReply) => {
  const segments = request.params as Record<string, string>;
  const asked: Asked = { url: request.raw.url ?? "", segments, headers: request.headers, holder: "" };
  try {
    const { headers, full } = await list(asked);
    const all = [...headers, ...(full?.headers ?? [])];
    for (let at = 0; at < all.length; at += 2) reply.header(all[at] as string, all[at + 1]);
    return reply.code(full === undefined ? 304 : 200).send(full?.body);
  } finally {
    request.holder = asked.holder;
  }
};

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

/** The framework's own HEAD gives a 304 the length 0, which a cache would take for that of the answer. */
async function withoutBodyForHead(request: FastifyRequest, reply: FastifyReply, body: unknown): Promise<unknown> {
  if (request.method !== "HEAD" || body === undefined) return body;
  reply.header("content-length", Buffer.byteLength(body as string | Buffer));
  return null;
}

/** HTTP/1.1 calls for exactly one (RFC 9112, section 3.2). */
function hasOneHost({ httpVersion, rawHeaders }: IncomingMessage): boolean {
  let hosts = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index];
    if (name?.length === 4 && name.toLowerCase() === "host") hosts++;
  }
  return hosts === 1 || (hosts === 0 && httpVersion === "1.0");
}

/** Requests that are not HTTP never reach the router; they get the same kind of answer. */
function answerBrokenRequest(error: Error & { code?: string }, socket: Duplex): void {
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
  answerOnSocket(socket, problem(code));
}

function answerOnSocket(socket: Duplex, failure: Problem): void {
  const { status, headers, body } = problemAnswer(failure, requestId(), undefined);
  const lines = Object.entries({ ...headers, "content-length": String(Buffer.byteLength(body)), connection: "close" });
  socket.end(
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.map(([name, value]) => `${name}: ${value}\r\n`).join("")}\r\n${body}`,
  );
}
