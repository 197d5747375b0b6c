// Builds the application: hooks, routes from the catalogue, one error handler. Nothing listens here.
import type { IncomingMessage, RequestListener } from "node:http";
import fastify, {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  LogController,
} from "fastify";
import { type Extension, hasNames, type Listing } from "../core/catalog/extension.ts";
import type { Resource } from "../core/catalog/resource.ts";
import { metricsPath } from "../core/operating.ts";
import { problem } from "../core/problem.ts";
import type { Family } from "../metrics/family.ts";
import type { Store } from "../store/store.ts";
import { problemOf, sendProblem, unavailable } from "./error-handler.ts";
import { answerDirectly } from "./fast-path.ts";
import { allowedOrigins, answerOrigins } from "./headers/cors.ts";
import { pageHeaders, securityHeaders } from "./headers/security-headers.ts";
import { longestUrl, openFront, type Ports } from "./listener.ts";
import { hasOneHost } from "./malformed-request.ts";
import { cleanPath, isForAdmin, ofOtherVersion, publicOf, routeOf, unserved } from "./not-found.ts";
import { answeredTo, type Count, noRoute, type Route } from "./observe/access-log.ts";
import type { Log } from "./observe/log.ts";
import { serverMetrics } from "./observe/metrics.ts";
import { timedStore } from "./observe/store-timing.ts";
import { answersUnderWay } from "./protection/in-flight.ts";
import { tooMuch } from "./protection/large-page-queue.ts";
import { protectionFamilies } from "./protection/metrics.ts";
import { defaultProtection, type Protection, type ProtectionLimits } from "./protection/protection.ts";
import { accounting } from "./request/accounting.ts";
import { authenticator } from "./request/auth.ts";
import { hasBody, limitArrival } from "./request/body.ts";
import { addressThrough } from "./request/client-ip.ts";
import { requestId } from "./request/request-id.ts";
import { answerCache } from "./response/cache.ts";
import { ProblemError } from "./response/problem-error.ts";
import { refuser } from "./response/write-problem.ts";
import { changeRoutes } from "./routes/changes.ts";
import { probeRoutes } from "./routes/health.ts";
import { keyRoutes } from "./routes/keys.ts";
import { listOf } from "./routes/list.ts";
import { listRoute, withoutBodyForHead } from "./routes/list-route.ts";
import { defaultWriteLimits, recordRoutes, type WriteLimits } from "./routes/records.ts";
import { type ReferencePageOptions, referencePage } from "./routes/reference.ts";
import { type About, operationRoutes } from "./routes/status.ts";
import { usageRoute } from "./routes/usage.ts";
import { pageRoutes } from "./routes/web.ts";
import { pageSettings } from "./routes/web-settings.ts";
import { noSchemas } from "./skip-schema-compilers.ts";
import type { Place } from "./sockets.ts";
import type { TestClock } from "./testing/clock.ts";
import { inTestMode } from "./testing/routes.ts";

declare module "fastify" {
  interface FastifyRequest {
    /** Name of the key that asks, once it is known. */
    holder: string;
    /** Records of the answer, or of the request's body. */
    records: number;
    fromMemory: boolean;
  }
  interface FastifyContextConfig {
    route?: Route;
  }
}

export type ServerOptions = {
  readonly catalog: readonly Resource[];
  /** Lists beside those of the catalogue. */
  readonly extensions?: readonly Extension[];
  readonly store: Store;
  readonly log: Log;
  readonly openapi: ReferencePageOptions["document"];
  /** Folder of the built page. */
  readonly pageFolder?: string;
  readonly corsOrigins?: readonly string[];
  /** How much memory answers may take that are kept for the next who asks; 0: none are. */
  readonly cacheBytes?: number;
  /** Why requests for records are answered 503 for now; undefined once they can be answered. */
  readonly waiting?: () => string | undefined;
  readonly writeLimits?: Partial<WriteLimits>;
  readonly protection?: Partial<ProtectionLimits>;
  /** Whether administration is served on its own port alone; to others its paths are not there. */
  readonly adminApart?: boolean;
  /** Networks of proxies that are believed when they name whom they were asked by. */
  readonly proxies?: readonly string[];
  /** Wrong tokens that an address may send in a minute; 0: any number. */
  readonly wrongTokens?: number;
  readonly about?: About;
  /** In test mode alone: the clock that can be set. Clients may then ask for faults. */
  readonly testClock?: TestClock;
  /** Called for every answer. */
  readonly counts?: readonly Count[];
  /** Unix seconds. */
  readonly now?: () => number;
  /** Milliseconds that only go forward: what waits, rates and loads are measured by. */
  readonly ticks?: () => number;
};

export type Server = {
  readonly app: FastifyInstance;
  /** What the server does with a request. */
  readonly handle: RequestListener;
  /** From now on new requests are answered 503; resolves when the answers under way have been handed to the system. */
  drain(): Promise<void>;
  /** The numbers of this process. */
  families(): Family[];
  /** Listens on every address of a host; for administration apart where a place is named for it. */
  listen(place: Place, admin?: Place): Promise<Ports>;
  /** Ends every connection, whatever it is doing. */
  cut(): void;
  /** What was turned away, and how much there is to do. */
  readonly protection: Protection;
};

const defaultWrongTokens = 20;

/** Answered however busy the server is: those who watch it must see that. */
const watched = new Set<string | undefined>(["/livez", "/readyz", metricsPath]);

export async function buildServer(options: ServerOptions): Promise<Server> {
  const { catalog, extensions = [], log, now = () => Date.now() / 1000, ticks = () => performance.now() } = options;
  const underWay = answersUnderWay();
  const origins = allowedOrigins(options.corsOrigins ?? ["*"]);
  const front = openFront({ ...defaultProtection, ...options.protection }, underWay, ticks, (request, response) =>
    handle(request, response),
  );
  const { turns, keyQueues, load } = front.protection;
  const app = fastify({
    // Its own line that it listens would come before the database is ready.
    loggerInstance: (log.isLevelEnabled("info") ? log.child({}, { level: "warn" }) : log) as FastifyBaseLogger,
    // One line a request is written by the hook below.
    logController: new LogController({ disableRequestLogging: true }),
    serverFactory: () => front.make(),
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
      sendProblem(
        request,
        reply as FastifyReply,
        problem("request.malformed", "The path is not valid percent-encoding."),
      );
    },
    // The sockets have their own.
    clientErrorHandler: () => {},
    schemaController: noSchemas,
  });
  app.decorateRequest("holder", "");
  app.decorateRequest("records", 0);
  app.decorateRequest("fromMemory", false);

  /** Whoever runs the service gets in when it is behind. */
  const isRefused = (request: IncomingMessage, began?: number) =>
    (load.isHigh || (began !== undefined && load.isTooLong(began))) && !front.isFromAdminPort(request);
  const isPublic = ({ raw }: FastifyRequest) => options.adminApart === true && !front.isFromAdminPort(raw);
  const served = new Map<string, Set<string>>();
  app.addHook("onRoute", ({ url, method }) => {
    const path = cleanPath(url);
    served.set(path, new Set([...(served.get(path) ?? []), ...[method].flat()]));
  });
  app.addHook("onRequest", async (request, reply) => {
    reply.header("x-request-id", request.id).headers(pageHeaders);
    for (let at = 0; at < securityHeaders.length; at += 2)
      reply.header(securityHeaders[at] as string, securityHeaders[at + 1]);
    limitArrival(request.raw, options.protection?.bodyMs);
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
    if (isRefused(request.raw) && !watched.has(request.routeOptions.url)) throw new ProblemError(tooMuch);
  });
  app.addHook("onRequest", async (request) => {
    const url = request.raw.url ?? "";
    // The router takes `*` for a slash; it is an address of no path.
    const isHidden = isPublic(request);
    if (request.is404 || url.startsWith("*") || (isHidden && isForAdmin(request.routeOptions.url ?? "")))
      throw new ProblemError(unserved(url, isHidden ? publicOf(served) : served, catalog, extensions));
  });
  app.addHook("onResponse", async (request, reply) => {
    const { statusCode: status, elapsedTime: ms } = reply;
    const { raw, id, fromMemory, holder: key } = request;
    const isHead = raw.method === "HEAD";
    const records = isHead ? 0 : request.records;
    const bytes = isHead ? 0 : Number(reply.getHeader("content-length") ?? 0);
    const { route = noRoute } = request.routeOptions.config ?? {};
    answered({ request: raw, id, route, status, ms, bytes, records, fromMemory, key });
  });
  app.setNotFoundHandler(() => {});
  app.setErrorHandler((error, request, reply) => {
    sendProblem(request, reply, problemOf(error as Error, request.id, request.raw, log));
  });

  const gate = async () => {
    const reason = options.waiting?.();
    if (reason !== undefined) throw new ProblemError(unavailable(reason));
  };
  const cache = answerCache(options.cacheBytes ?? 0);
  const { about = { version: "", started: now(), database: "sqlite" } } = options;
  const metrics = serverMetrics(options.store, cache, about.version, [
    () => protectionFamilies(front.protection, underWay),
  ]);
  const store = timedStore(options.store, metrics.timed);
  const accounts = accounting({ store, log, now, ticks, wrongTokens: options.wrongTokens ?? defaultWrongTokens });
  app.addHook("onSend", accounts.onSend).addHook("onClose", accounts.close);
  const answered = answeredTo(log, [metrics.count, accounts.countUsage, ...(options.counts ?? [])]);
  const addressOf = addressThrough(options.proxies ?? []);
  const deps = {
    store,
    log,
    cache,
    authenticate: authenticator({ store, ...accounts, addressOf, now }),
    varyByOrigin: origins.vary,
    turns,
    keyQueues,
    now,
    ticks,
  };
  const listings = [...catalog, ...extensions];
  const ownVersion = async (request: FastifyRequest) => {
    const problem = ofOtherVersion(request.raw.url ?? "", listings);
    if (problem !== undefined) throw new ProblemError(problem);
  };
  const routes = new Map<Listing, Route>(listings.map((each) => [each, { use: "read", resource: each.name }]));
  const lists = new Map(listings.map((listing) => [listing, listOf(listing, deps)]));
  for (const [listing, list] of lists) {
    app.route({
      method: ["GET", "HEAD"],
      url: routeOf(listing.path),
      config: { route: routes.get(listing) ?? noRoute },
      onRequest: hasNames(listing) ? [ownVersion, gate] : gate,
      handler: listRoute(list),
      onSend: withoutBodyForHead,
    });
  }
  changeRoutes(app, { catalog, ...deps, gate, onSend: withoutBodyForHead });
  keyRoutes(app, { catalog, ...deps, gate, onSend: withoutBodyForHead });
  usageRoute(app, { ...deps, ...accounts, gate, onSend: withoutBodyForHead });
  recordRoutes(app, { catalog, ...deps, limits: { ...defaultWriteLimits, ...options.writeLimits }, gate });
  operationRoutes(app, { catalog, ...deps, about, families: metrics.families, gate });
  probeRoutes(app, store, gate, isPublic);
  pageRoutes(app, options.pageFolder);
  const described = (options.openapi as { info?: { version?: string } }).info;
  pageSettings(app, { catalog, store, version: described?.version ?? about.version, gate, now });
  await referencePage(app, { document: options.openapi });
  const isOdd = (request: IncomingMessage): boolean =>
    underWay.isDraining ||
    options.waiting?.() !== undefined ||
    (request.url ?? "").length > longestUrl ||
    !hasOneHost(request) ||
    hasBody(request);
  const framework: RequestListener = (request, response) => app.routing(request, response);
  const refuse = refuser(origins, accounts.admission, answered, ticks);
  const directly = answerDirectly({
    ...deps,
    lists,
    routes,
    origins,
    addressOf,
    admission: accounts.admission,
    underWay,
    answered,
    refuse,
    isRefused,
    isOdd,
    framework,
  });
  const { testClock: clock } = options;
  const handle = clock ? inTestMode(app, { ...deps, gate, clock, answered, refuse, underWay }, directly) : directly;
  app.addHook("onClose", async () => metrics.stop()).addHook("onClose", front.close);
  return {
    app,
    handle,
    protection: front.protection,
    listen: (place, admin) => front.listen(app, place, admin),
    drain: underWay.drain,
    families: metrics.families,
    cut: () => front.cut(app),
  };
}
