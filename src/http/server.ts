// Builds the server: the middleware, the fast path for lists, and Fastify's routes for everything else. Nothing listens yet.
import type { IncomingMessage, RequestListener } from "node:http";
import type { FastifyInstance } from "fastify";
import type { Extension } from "../core/catalog/extension.ts";
import type { Resource } from "../core/catalog/resource.ts";
import type { Family } from "../metrics/family.ts";
import type { Store } from "../store/store.ts";
import { unavailable } from "./error-handler.ts";
import type { Exchange } from "./exchange.ts";
import { fastPath } from "./fast-path.ts";
import { buildFramework } from "./framework.ts";
import { allowedOrigins } from "./headers/cors.ts";
import { type Listener, openListener, type Ports } from "./listener.ts";
import { middleware } from "./middleware.ts";
import { accessLog, type Observer } from "./observe/access-log.ts";
import type { Log } from "./observe/log.ts";
import { serverMetrics } from "./observe/metrics.ts";
import { timedStore } from "./observe/store-timing.ts";
import { type InFlight, trackInFlight } from "./protection/in-flight.ts";
import { protectionMetrics } from "./protection/metrics.ts";
import { defaultProtection, type Protection, type ProtectionLimits } from "./protection/protection.ts";
import { accounting } from "./request/accounting.ts";
import { authenticator } from "./request/auth.ts";
import { clientAddress } from "./request/client-ip.ts";
import { responseCache } from "./response/cache.ts";
import { ProblemError } from "./response/problem-error.ts";
import { problemWriter } from "./response/write-problem.ts";
import { endpointRoutes } from "./routes/endpoint-handlers.ts";
import { listHandler } from "./routes/list.ts";
import { defaultWriteLimits, type WriteLimits } from "./routes/records.ts";
import { type OpenapiSource, referencePage } from "./routes/reference.ts";
import type { About } from "./routes/status.ts";
import { pageRoutes } from "./routes/web.ts";
import type { ListenAddress } from "./sockets.ts";
import type { TestClock } from "./testing/clock.ts";
import { inTestMode } from "./testing/routes.ts";

export type ServerOptions = {
  readonly catalog: readonly Resource[];
  /** Lists beside those of the catalogue. */
  readonly extensions?: readonly Extension[];
  readonly store: Store;
  readonly log: Log;
  readonly openapi: OpenapiSource;
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
  /** Called for every response. */
  readonly observers?: readonly Observer[];
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
  listen(place: ListenAddress, admin?: ListenAddress): Promise<Ports>;
  /** Ends every connection, whatever it is doing. */
  cut(): void;
  /** What was turned away, and how much there is to do. */
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
  const injectFault = registerRoutes(options, services);
  const handle = middleware({
    ...services,
    inFlight,
    injectFault,
    bodyMs: options.protection?.bodyMs,
    lists: fastPath({ ...services, routes: listRoutes(options, services) }),
    framework: ({ request, response }) => app.routing(request, response),
  });
  app.addHook("onClose", async () => metrics.stop()).addHook("onClose", listener.close);
  return {
    app,
    handle,
    protection: listener.protection,
    listen: (place, admin) => listener.listen(app, place, admin),
    drain: inFlight.drain,
    families: metrics.families,
    cut: () => listener.cut(app),
  };
}

type Services = ReturnType<typeof servicesOf>;

/** What routes and middleware share. */
function servicesOf(options: ServerOptions, listener: Listener, inFlight: InFlight, ticks: () => number) {
  const { catalog, extensions = [], log, now = () => Date.now() / 1000 } = options;
  const { turns, keyQueues, load } = listener.protection;
  const origins = allowedOrigins(options.corsOrigins ?? ["*"]);
  const cache = responseCache(options.cacheBytes ?? 0);
  const { about = { version: "", started: now(), database: "sqlite" } } = options;
  const metrics = serverMetrics(options.store, cache, about.version, [
    () => protectionMetrics(listener.protection, inFlight),
  ]);
  const store = timedStore(options.store, metrics.timed);
  const accounts = accounting({ store, log, now, ticks, wrongTokens: options.wrongTokens ?? defaultWrongTokens });
  const { admission } = accounts;
  const addressOf = clientAddress(options.proxies ?? []);
  const writeProblem = problemWriter(origins, admission);
  const isPublic = (request: IncomingMessage) => options.adminApart === true && !listener.isFromAdminPort(request);
  const app = buildFramework({ catalog, extensions, listener, log, writeProblem, isPublic });
  app.addHook("onSend", accounts.onSend).addHook("onClose", accounts.close);
  const refusal = () => {
    const reason = options.waiting?.();
    return reason === undefined ? undefined : unavailable(reason);
  };
  return {
    app,
    about,
    store,
    log,
    cache,
    metrics,
    accounts,
    admission,
    authenticate: authenticator({ store, ...accounts, addressOf, now }),
    addressOf,
    origins,
    varyByOrigin: origins.vary,
    writeProblem,
    observe: accessLog(log, [metrics.count, accounts.countUsage, ...(options.observers ?? [])]),
    /** The administration port gets in when the process is behind. */
    isOverloaded: ({ request }: Exchange, queuedAt?: number) =>
      (load.isHigh || (queuedAt !== undefined && load.isTooLong(queuedAt))) && !listener.isFromAdminPort(request),
    isPublic,
    refusal,
    gate: async () => {
      const problem = refusal();
      if (problem !== undefined) throw new ProblemError(problem);
    },
    turns,
    keyQueues,
    now,
    ticks,
  };
}

const listRoutes = ({ catalog, extensions = [] }: ServerOptions, services: Services) =>
  [...catalog, ...extensions].map((listing) => ({
    listing,
    list: listHandler(listing, services),
    route: { use: "read", resource: listing.name } as const,
  }));

/** Everything but lists. The result injects faults in test mode. */
function registerRoutes(options: ServerOptions, services: Services) {
  const { catalog, pageFolder, openapi, testClock: clock } = options;
  const { app, metrics, accounts } = services;
  const deps = { ...services, catalog };
  const limits = { ...defaultWriteLimits, ...options.writeLimits };
  endpointRoutes(app, { ...deps, ...accounts, limits, families: metrics.families, openapi });
  pageRoutes(app, pageFolder);
  referencePage(app);
  return clock && inTestMode(app, { ...deps, clock });
}
