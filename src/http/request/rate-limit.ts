// Limits as HTTP meets them: each request of a limited key is deciding once, and every answer to it says how the key stands.
import type { IncomingMessage } from "node:http";
import { type Problem, problem } from "../../core/problem.ts";
import type { Allowance, Clock, Decision, LimitName, LimitStatus } from "../../limits/allowance.ts";
import type { Limiter } from "../../limits/limiter.ts";

export type RateLimits = Pick<Limiter, "allowanceOf" | "close"> & {
  /** What is wrong when a limit is met. However often a request is tried again, it counts once. */
  admit(request: IncomingMessage, allowance: Allowance): Promise<Problem | undefined>;
  /** Lets a request through at once and gives its fields; undefined when it must be looked at more closely. */
  tryAdmit(allowance: Allowance): readonly string[] | undefined;
  /** How the key of a request stands, as names and values in turn; none for a key without limits. */
  headersOf(request: IncomingMessage): readonly string[];
};

const noFields: readonly string[] = [];

export function rateLimits(limiter: Limiter, clock: Clock): RateLimits {
  const decisions = new WeakMap<IncomingMessage, Promise<Decision>>();
  const fields = new WeakMap<IncomingMessage, readonly string[]>();
  return {
    allowanceOf: (key, zone, isCurrent) => limiter.allowanceOf(key, zone, isCurrent),
    close: () => limiter.close(),
    admit: async (request, allowance) => {
      const known = decisions.get(request);
      const deciding = known ?? limiter.decide(allowance);
      if (known === undefined) decisions.set(request, deciding);
      const decision = await deciding;
      fields.set(request, printFields(decision, clock.now()));
      return decision.refused === undefined ? undefined : refusal(decision.refused, decision);
    },
    tryAdmit: (allowance) => {
      const decision = limiter.tryDecide(allowance);
      return decision?.refused === undefined && decision !== undefined ? printFields(decision, clock.now()) : undefined;
    },
    headersOf: (request) => fields.get(request) ?? noFields,
  };
}

function refusal(name: LimitName, { retrySeconds, statuses: standings }: Decision): Problem {
  const { limit, windowSeconds } = standings.find((standing) => standing.name === name) as LimitStatus;
  const detail =
    name === "rate"
      ? `This key may send ${counted(limit, "request")} in ${counted(windowSeconds, "second")}; try again in ${counted(retrySeconds, "second")}.`
      : `This key has used up ${limit === 1 ? "its one request" : `all of its ${limit} requests`}; there are new ones in ${counted(retrySeconds, "second")}.`;
  return problem(`limit.${name}`, detail, { headers: { "retry-after": String(retrySeconds) } });
}

const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? "" : "s"}`;

/**
 * `RateLimit` and `RateLimit-Policy` as the IETF's draft has them, and the common names for the limit that is nearest.
 * There a reset is a moment, in Unix seconds.
 */
function printFields({ refused, statuses: standings }: Decision, now: number): readonly string[] {
  // A key that has lost its limits while a request of it was under way.
  if (standings.length === 0) return noFields;
  const policies = standings.map(({ name, limit, windowSeconds }) => `"${name}";q=${limit};w=${windowSeconds}`);
  const limits = standings.map(({ name, remaining, resetSeconds }) => `"${name}";r=${remaining};t=${resetSeconds}`);
  const nearest = standings.reduce((least, each) =>
    each.name === refused || (least.name !== refused && each.remaining < least.remaining) ? each : least,
  );
  return [
    "ratelimit-policy",
    policies.join(", "),
    "ratelimit",
    limits.join(", "),
    "x-ratelimit-limit",
    String(nearest.limit),
    "x-ratelimit-remaining",
    String(nearest.remaining),
    "x-ratelimit-reset",
    String(Math.ceil(now) + nearest.resetSeconds),
  ];
}
