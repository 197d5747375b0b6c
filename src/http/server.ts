// Builds the server: middleware, the fast path for lists, and Fastify's routes for everything else.
import type { IncomingMessage, RequestListener } from "node:http";
import type { FastifyInstance } from "fastify";
import type { BulkFiles } from "../bulk/files.ts";
import type { CompatTable } from "../core/catalog/compat.ts";
import type { Extension } from "../core/catalog/extension.ts";
import type { Resource } from "../core/catalog/resource.ts";
import type { Problem } from "../core/problem.ts";
import { everyInterval, Hub, type HubOptions } from "../live/hub.ts";
import type { Family } from "../metrics/family.ts";
import type { Store } from "../store/store.ts";
import { sendOptions } from "../webhooks/send.ts";
import { unavailable } from "./error-handler.ts";
import type { Exchange } from "./exchange.ts";
import { fastPath } from "./fast-path.ts";
import { buildFramework } from "./framework.ts";
import { allowedOrigins } from "./headers/cors.ts";
import { type ListMatch, listRouter } from "./list-router.ts";
import { type Listener, openListener, type Ports } from "./listener.ts";
import { middleware } from "./middleware.ts";
import { accessLog, type Observer } from "./observe/access-log.ts";
import type { Log } from "./observe/log.ts";
import { serverMetrics } from "./observe/metrics.ts";
import { timedStore } from "./observe/store-timing.ts";
import { throttledWarning } from "./observe/throttled-warning.ts";
import { type InFlight, trackInFlight } from "./protection/in-flight.ts";
import { protectionMetrics } from "./protection/metrics.ts";
import { defaultProtection, type Protection, type ProtectionLimits } from "./protection/protection.ts";
import { accounting } from "./request/accounting.ts";
import { authenticator, compatKeys } from "./request/auth.ts";
import { clientAddress } from "./request/client-ip.ts";
import { responseCache } from "./response/cache.ts";
import { ProblemError } from "./response/problem-error.ts";
import { problemWriter } from "./response/write-problem.ts";
import { endpointRoutes } from "./routes/endpoint-handlers.ts";
import { listHandler } from "./routes/list.ts";
import { defaultWriteLimits, type WriteLimits } from "./routes/records.ts";
import { type DocumentSource, markdownReference, type ReferenceSource, referencePage } from "./routes/reference.ts";
import type { ProcessReports, ServerInfo } from "./routes/status.ts";
import { pageRoutes } from "./routes/web.ts";
import { demoKey } from "./routes/web-settings.ts";
import type { ListenAddress } from "./sockets.ts";
import { streamPaths, streamRouter } from "./streams/stream-router.ts";
import type { TestClock } from "./testing/clock.ts";
import { registerTestRoutes } from "./testing/routes.ts";

export type ServerOptions = {
  readonly catalog: readonly Resource[];
  /** Lists that aren't resources of the catalog. */
  readonly extensions?: readonly Extension[];
  readonly store: Store;
  readonly log: Log;
  readonly openapi: DocumentSource;
  readonly asyncapi?: DocumentSource;
  /** The reference as Markdown. */
  readonly reference?: ReferenceSource;
  /** Directory of the built web page. */
  readonly pageFolder?: string;
  readonly corsOrigins?: readonly string[];
  /** How lists are served to clients of other implementations. */
  readonly compatTable?: CompatTable;
  /** Whether all keys are served that way, and not only those with the term. */
  readonly compat?: boolean;
  /** Size of the response cache; 0: no cache. */
  readonly cacheBytes?: number;
  /** Why requests for records get 503 for now; undefined once they can be served. */
  readonly unavailableReason?: () => string | undefined;
  readonly writeLimits?: Partial<WriteLimits>;
  readonly protection?: Partial<ProtectionLimits>;
  /** Admin paths are served on the admin port only; elsewhere they are 404. */
  readonly hasAdminPort?: boolean;
  /** Networks of proxies whose `X-Forwarded-For` is trusted. */
  readonly trustedProxies?: readonly string[];
  /** Invalid tokens that an address may send per minute; 0: any number. */
  readonly wrongTokens?: number;
  readonly info?: ServerInfo;
  /** Enables test mode: a clock that can be set, and fault injection. */
  readonly testClock?: TestClock;
  /** Called for every response. */
  readonly observers?: readonly Observer[];
  /** Unix seconds. */
  readonly now?: () => number;
  /** Milliseconds on a monotonic clock, for timeouts, rates, and lag. */
  readonly ticks?: () => number;
  /** Whether WebSockets send news as the list returns it (by default), or in the form that older clients know. */
  readonly streamNewsForm?: "rest" | "story";
  /** Addresses that webhooks may be delivered to in addition to public ones. */
  readonly webhookNetworks?: readonly string[];
  /** Files of all records of a resource; undefined: none are served. */
  readonly bulk?: BulkFiles;
  /** Metrics of what runs alongside the server. */
  readonly families?: () => readonly Family[];
  /** Timer of streams. */
  readonly every?: HubOptions["every"];
};

export type Server = {
  readonly app: FastifyInstance;
  readonly handle: RequestListener;
  /** Responds to new requests with 503 from now on; resolves when in-flight responses have been sent. */
  drain(): Promise<void>;
  readonly reports: ProcessReports;
  /** Listens on every address of a host, and separately for administration if an address is provided. */
  listen(address: ListenAddress, admin?: ListenAddress): Promise<Ports>;
  /** Closes every connection, busy or idle. */
  closeConnections(): void;
  readonly protection: Protection;
};

const defaultWrongTokens = 20;

export async function buildServer(options: ServerOptions): Promise<Server> {
  const { ticks = () => performance.now() } = options;
  const inFlight = trackInFlight();
  const limits = { ...defaultProtection, ...options.protection };
  const listener = openListener(limits, inFlight, ticks, (request, response) => handle(request, response));
  const services = servicesOf(options, listener, inFlight, ticks);
  const { app, metrics } = services;
  const routes = listRoutes(options, services);
  const reserved = new Set(streamPaths(options.catalog));
  const injectFault = registerRoutes(options, services, listRouter(routes, reserved));
  const handle = middleware({
    ...services,
    inFlight,
    pipelining: listener.protection.pipelining,
    injectFault,
    bodyMs: options.protection?.bodyMs,
    lists: fastPath({ ...services, ...services.accounts, routes, reserved }),
    streams: streamRouter(options.catalog, services),
    framework: ({ request, response }) => app.routing(request, response),
  });
  app
    .addHook("onClose", async () => metrics.stop())
    .addHook("onClose", listener.close)
    .addHook("preClose", async () => services.hub.close());
  return {
    app,
    handle,
    protection: listener.protection,
    listen: (address, admin) => listener.listen(app, address, admin),
    drain: () => {
      const drained = inFlight.drain();
      services.hub.close();
      return drained;
    },
    reports: services.reports,
    closeConnections: () => {
      listener.closeConnections(app);
      // Node doesn't count WebSockets among its connections.
      for (const { req } of inFlight.responses) req.socket.destroy();
    },
  };
}

type Services = ReturnType<typeof servicesOf>;

/** What routes and middleware have in common. */
function servicesOf(options: ServerOptions, listener: Listener, inFlight: InFlight, ticks: () => number) {
  const { catalog, extensions = [], log, now = () => Date.now() / 1000 } = options;
  const { largePages, exports, keyConcurrency, slowClients } = listener.protection;
  const { compat = false, every = everyInterval } = options;
  const { info = { version: "", started: now(), database: "sqlite" } } = options;
  const origins = allowedOrigins(options.corsOrigins ?? ["*"]);
  const cache = responseCache(options.cacheBytes ?? 0);
  const metrics = serverMetrics(options.store, cache, info.version, [
    () => protectionMetrics(listener.protection, inFlight),
    () => hub.statistics.families(),
    options.families ?? (() => []),
  ]);
  const store = timedStore(options.store, metrics.timed);
  const onError = throttledWarning(log, () => ticks() / 1000)("streams are waiting for the database");
  const hub = new Hub({ catalog, store, now, onError, every });
  const accounts = accounting({ store, log, now, ticks, wrongTokens: options.wrongTokens ?? defaultWrongTokens });
  const { rateLimits } = accounts;
  const addressOf = clientAddress(options.trustedProxies ?? []);
  const authentication = { store, ...accounts, addressOf, now };
  const writeProblem = problemWriter(origins, rateLimits);
  const isPublic = (request: IncomingMessage) => options.hasAdminPort === true && !listener.isFromAdminPort(request);
  const usesCompat = compatKeys(authentication);
  const app = buildFramework({ catalog, extensions, listener, log, writeProblem, isPublic });
  app.addHook("onSend", accounts.onSend).addHook("onClose", accounts.close);
  return {
    app,
    info,
    store,
    log,
    cache,
    metrics,
    accounts,
    rateLimits,
    authenticate: authenticator(authentication),
    usesCompat,
    isCompat: async (request: IncomingMessage) => compat || (await usesCompat(request)),
    compat,
    compatTable: options.compatTable ?? new Map(),
    addressOf,
    origins,
    varyByOrigin: origins.vary,
    writeProblem,
    observe: accessLog(log, [metrics.count, accounts.countUsage, ...(options.observers ?? [])]),
    isOverloaded: overloadCheck(listener),
    isPublic,
    ...availability(options.unavailableReason),
    hub,
    reports: { families: metrics.families, openStreams: (query) => hub.openStreams(query) } satisfies ProcessReports,
    every,
    webhookSending: sendOptions(info.version, options.webhookNetworks ?? []),
    isStoryForm: options.streamNewsForm === "story",
    keyStreams: options.protection?.keyStreams ?? defaultProtection.keyStreams,
    largePages,
    exports,
    keyConcurrency,
    slowClients,
    now,
    ticks,
  };
}

/** Never on the admin port: operators get in when the process is overloaded. */
const overloadCheck =
  ({ protection: { eventLoopLag }, isFromAdminPort }: Listener) =>
  ({ request }: Exchange, queuedAt?: number): boolean =>
    (eventLoopLag.isHigh || (queuedAt !== undefined && eventLoopLag.isExceededSince(queuedAt))) &&
    !isFromAdminPort(request);

function availability(unavailableReason: () => string | undefined = () => undefined) {
  const refusal = (): Problem | undefined => {
    const reason = unavailableReason();
    return reason === undefined ? undefined : unavailable(reason);
  };
  /** Throws while records can't be served. */
  const gate = async (): Promise<void> => {
    const problem = refusal();
    if (problem !== undefined) throw new ProblemError(problem);
  };
  return { refusal, gate };
}

const listRoutes = ({ catalog, extensions = [] }: ServerOptions, services: Services) =>
  [...catalog, ...extensions].map((listing) => ({
    listing,
    list: listHandler(listing, services),
    compatPaths: services.compatTable.get(listing)?.paths ?? [],
    route: { use: "read", resource: listing.name } as const,
  }));

/** Everything but lists. The result injects faults in test mode. */
function registerRoutes(options: ServerOptions, services: Services, match: (url: string) => ListMatch | undefined) {
  const { catalog, extensions = [], pageFolder, openapi, asyncapi = {}, testClock: clock } = options;
  const { app, accounts } = services;
  const deps = { ...services, catalog, extensions, match };
  const limits = { ...defaultWriteLimits, ...options.writeLimits };
  endpointRoutes(app, { ...deps, ...accounts, limits, openapi, asyncapi, bulk: options.bulk });
  pageRoutes(app, pageFolder, [...catalog, ...extensions]);
  referencePage(app, () => demoKey(deps.store, deps.now()));
  if (options.reference !== undefined) markdownReference(app, options.reference);
  return clock && registerTestRoutes(app, { ...deps, clock });
}
