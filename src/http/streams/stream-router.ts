// Finds the stream that a request is for. Streams bypass the framework, which would hold on to several kilobytes for each.
import type { Resource } from "../../core/catalog/resource.ts";
import { combinedPath } from "../../core/query/combined-stream.ts";
import { SharedForms } from "../../live/shared-forms.ts";
import { toProblem } from "../error-handler.ts";
import type { Exchange } from "../exchange.ts";
import type { Handler } from "../middleware.ts";
import { cleanPath } from "../not-found.ts";
import type { Route } from "../observe/access-log.ts";
import { overloaded } from "../protection/large-page-queue.ts";
import { ProblemError } from "../response/problem-error.ts";
import type { WriteProblem } from "../response/write-problem.ts";
import { combinedStreamRoute } from "./combined.ts";
import { listStreamPaths, listStreamRoutes } from "./list-stream.ts";
import type { StreamDeps } from "./open-stream.ts";
import { StreamSlots } from "./stream-slots.ts";

export type StreamRoute = {
  readonly route: Route;
  /** Whether the path exists for clients of other implementations only. */
  readonly isCompatOnly: boolean;
  readonly serve: (exchange: Exchange) => Promise<void>;
};

type StreamRouterDeps = Omit<StreamDeps, "slots" | "forms"> & {
  readonly writeProblem: WriteProblem;
  readonly isOverloaded: (exchange: Exchange) => boolean;
  /** Open streams per key; 0: unlimited. */
  readonly keyStreams: number;
  /** Throws while no record can be served. */
  readonly gate: () => Promise<void>;
};

/** Paths that exist for everyone. */
export const streamPaths = (catalog: readonly Resource[]): string[] => [...listStreamPaths(catalog), combinedPath];

/** Serves the exchange if it is for a stream, and passes it on otherwise. */
export function streamRouter(
  catalog: readonly Resource[],
  routerDeps: StreamRouterDeps,
): (exchange: Exchange, otherwise: Handler) => void {
  const deps = { ...routerDeps, slots: new StreamSlots(routerDeps.keyStreams), forms: new SharedForms() };
  const byPath = new Map<string, StreamRoute>([
    ...catalog.flatMap((resource) => listStreamRoutes(resource, deps)),
    [combinedPath, combinedStreamRoute(catalog, deps)],
  ]);

  const serve = async (exchange: Exchange, stream: StreamRoute, otherwise: Handler): Promise<void> => {
    if (stream.isCompatOnly && !(await deps.isCompat(exchange.request))) {
      otherwise(exchange);
      return;
    }
    exchange.route = stream.route;
    if (deps.isOverloaded(exchange)) throw new ProblemError(overloaded);
    await deps.gate();
    await stream.serve(exchange);
  };

  return (exchange, otherwise) => {
    const { method, url = "" } = exchange.request;
    const found = method === "GET" || method === "HEAD" ? byPath.get(cleanPath(url)) : undefined;
    if (found === undefined) otherwise(exchange);
    else
      serve(exchange, found, otherwise).catch((error: Error) =>
        deps.writeProblem(exchange, toProblem(error, exchange.id, exchange.request, deps.log)),
      );
  };
}
