// What is asked by those who start, stop and balance servers: whether this one lives, and whether it can answer.
import type { FastifyInstance, FastifyRequest } from "fastify";
import type { Store } from "../../store/store.ts";
import { unavailable } from "../error-handler.ts";
import { ProblemError } from "../response/problem-error.ts";

/** `isPublic` tells requests by which nobody should learn where the databases are. */
export function probeRoutes(
  app: FastifyInstance,
  store: Store,
  gate: () => Promise<void>,
  isPublic: (request: FastifyRequest) => boolean,
): void {
  app.get("/livez", async () => ({ status: "ok" }));
  app.get("/readyz", async (request, reply) => {
    await gate();
    const { ready, checks } = await store.health();
    if (!ready) throw new ProblemError(unavailable("No database can be used."));
    const status = Object.values(checks).every((check) => check === "ok") ? "ok" : "degraded";
    return reply.header("cache-control", "no-store").send(isPublic(request) ? { status } : { status, checks });
  });
}
