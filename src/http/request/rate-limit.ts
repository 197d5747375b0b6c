// Rate limits and quotas over HTTP: counts each request once, and sets the rate-limit headers.
import type { IncomingMessage } from "node:http";
import { type Problem, problem } from "../../core/problem.ts";
import type { Allowance, Clock, Decision, LimitName, LimitStatus } from "../../limits/allowance.ts";
import type { Limiter } from "../../limits/limiter.ts";

export type RateLimits = Pick<Limiter, "allowanceOf" | "close"> & {
  /** A problem if a limit is exceeded. A request that is retried internally counts once. */
  admit(request: IncomingMessage, allowance: Allowance): Promise<Problem | undefined>;
  /** The next `admit` of this request counts again. */
  countAgain(request: IncomingMessage): void;
  /** Makes a request part of one that was admitted. */
  countWith(part: IncomingMessage, admitted: IncomingMessage): void;
  /** Admits a request synchronously and returns its headers; undefined if that takes `admit`. */
  tryAdmit(allowance: Allowance): readonly string[] | undefined;
  /** Alternating names and values; empty for a key without limits. */
  headersOf(request: IncomingMessage): readonly string[];
};

const noHeaders: readonly string[] = [];

export function httpRateLimits(limiter: Limiter, clock: Clock): RateLimits {
  const decisions = new WeakMap<IncomingMessage, Promise<Decision>>();
  const headers = new WeakMap<IncomingMessage, readonly string[]>();
  return {
    allowanceOf: (key, zone, isCurrent) => limiter.allowanceOf(key, zone, isCurrent),
    close: () => limiter.close(),
    admit: async (request, allowance) => {
      const pending = decisions.get(request) ?? limiter.decide(allowance);
      decisions.set(request, pending);
      const decision = await pending;
      headers.set(request, rateLimitHeaders(decision, clock.now()));
      return decision.refused === undefined ? undefined : refusal(decision.refused, decision);
    },
    countAgain: (request) => void decisions.delete(request),
    countWith: (part, admitted) => {
      const decision = decisions.get(admitted);
      if (decision !== undefined) decisions.set(part, decision);
    },
    tryAdmit: (allowance) => {
      const decision = limiter.tryDecide(allowance);
      return decision?.refused === undefined && decision !== undefined
        ? rateLimitHeaders(decision, clock.now())
        : undefined;
    },
    headersOf: (request) => headers.get(request) ?? noHeaders,
  };
}

function refusal(name: LimitName, { retrySeconds, statuses }: Decision): Problem {
  const { limit, windowSeconds } = statuses.find((status) => status.name === name) as LimitStatus;
  const detail =
    name === "rate"
      ? `This key is limited to ${counted(limit, "request")} per ${counted(windowSeconds, "second")}. Try again in ${counted(retrySeconds, "second")}.`
      : `This key has used its quota of ${counted(limit, "request")}. The quota resets in ${counted(retrySeconds, "second")}.`;
  return problem(`limit.${name}`, detail, { headers: { "retry-after": String(retrySeconds) } });
}

const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? "" : "s"}`;

/** The IETF draft's headers, and the common `X-RateLimit-*` of the nearest limit, whose reset is in Unix seconds. */
function rateLimitHeaders({ refused, statuses }: Decision, now: number): readonly string[] {
  // The key's limits were removed while the request was in flight.
  if (statuses.length === 0) return noHeaders;
  const policies = statuses.map(({ name, limit, windowSeconds }) => `"${name}";q=${limit};w=${windowSeconds}`);
  const limits = statuses.map(({ name, remaining, resetSeconds }) => `"${name}";r=${remaining};t=${resetSeconds}`);
  const nearest = statuses.reduce((least, each) =>
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
