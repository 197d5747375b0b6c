// Health checks: whether this server is alive, and whether it can serve requests.
import type { FastifyRequest } from "fastify";
import type { serverEndpoints } from "../../endpoints/server.ts";
import type { Store } from "../../store/store.ts";
import { unavailable } from "../error-handler.ts";
import { ProblemError } from "../response/problem-error.ts";
import type { Handlers } from "./endpoints.ts";

/** Public requests must not reveal which databases there are. */
export function healthHandlers(
  store: Store,
  gate: () => Promise<void>,
  isPublic: (request: FastifyRequest) => boolean,
): Pick<Handlers<typeof serverEndpoints.endpoints>, "isAlive" | "isReady"> {
  return {
    isAlive: async () => ({ status: "ok" }),
    isReady: async (request, reply) => {
      await gate();
      const { ready, checks } = await store.health();
      if (!ready) throw new ProblemError(unavailable("No database is available."));
      const status = Object.values(checks).every((check) => check === "ok") ? "ok" : "degraded";
      return reply.header("cache-control", "no-store").send(isPublic(request) ? { status } : { status, checks });
    },
  };
}
