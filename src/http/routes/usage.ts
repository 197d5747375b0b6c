// What keys have used, by day, key and resource. For keys with the scope `admin`.
import type { FastifyInstance, onSendAsyncHookHandler } from "fastify";
import { readInputs } from "../../core/query/planner.ts";
import { usageDays, usageInputs, usagePath } from "../../core/usage.ts";
import { localDay } from "../../core/value/time-zone.ts";
import type { Store } from "../../store/store.ts";
import { nameIgnored, refuse } from "../headers/ignored-parameters.ts";
import type { Route } from "../observe/access-log.ts";
import type { Authenticate } from "../request/auth.ts";
import { granted } from "../request/require-scope.ts";
import { contentTypes } from "../response/page-body.ts";

export type UsageRoute = {
  readonly store: Store;
  readonly authenticate: Authenticate;
  /** Writes what this process has counted and not written. */
  readonly flushUsage: () => Promise<unknown>;
  /** Throws while requests can't be answered. */
  readonly gate: () => Promise<void>;
  readonly onSend: onSendAsyncHookHandler;
  /** Unix seconds. */
  readonly now: () => number;
};

export function usageRoute(app: FastifyInstance, deps: UsageRoute): void {
  const route: Route = { use: "admin", resource: "" };
  app.route({
    method: ["GET", "HEAD"],
    url: usagePath,
    config: { route },
    onRequest: deps.gate,
    onSend: deps.onSend,
    handler: async (request, reply) => {
      const { state, query, mistakes } = await granted(request, deps, "admin");
      const { values, mistakes: wrong, ignored } = readInputs(usageInputs, query);
      refuse([...mistakes, ...wrong]);
      const days = usageDays(values, localDay(state.rendering.zone, deps.now()));
      if ("mistake" in days) return refuse([days.mistake]);
      nameIgnored(reply, ignored);
      await deps.flushUsage();
      const usage = await deps.store.usage({ ...days, key: values.key });
      return reply.header("cache-control", "no-store").type(contentTypes.json).send(JSON.stringify({ usage }));
    },
  });
}
