// Per-key accounting: rate limits, the brute-force guard, and usage.
import type { FastifyReply, FastifyRequest } from "fastify";
import { Limiter } from "../../limits/limiter.ts";
import { UsageCounter } from "../../limits/usage.ts";
import type { Store } from "../../store/store.ts";
import type { Observer } from "../observe/access-log.ts";
import type { Log } from "../observe/log.ts";
import { throttledWarning } from "../observe/throttled-warning.ts";
import { type BruteForceGuard, bruteForceGuard } from "./brute-force.ts";
import { httpRateLimits, type RateLimits } from "./rate-limit.ts";

type KeyAccounting = {
  readonly rateLimits: RateLimits;
  readonly guard: BruteForceGuard;
  readonly countUsage: Observer;
  /** Writes usage that has been counted but not written. */
  readonly flushUsage: () => Promise<unknown>;
  /** Adds the rate-limit headers to a response of the framework. */
  readonly onSend: (request: FastifyRequest, reply: FastifyReply, body: unknown) => Promise<unknown>;
  /** Writes everything that has not been written. */
  close(): Promise<void>;
};

type AccountingOptions = {
  readonly store: Store;
  readonly log: Log;
  /** Unix seconds. */
  readonly now: () => number;
  /** Milliseconds on a monotonic clock. */
  readonly ticks: () => number;
  /** Invalid tokens that an address may send per minute; 0: any number. */
  readonly wrongTokens: number;
};

export function accounting({ store, log, now, wrongTokens, ...options }: AccountingOptions): KeyAccounting {
  const ticks = () => options.ticks() / 1000;
  const clock = { now, ticks };
  const warning = throttledWarning(log, ticks);
  const limiter = new Limiter({
    exchange: (spending) => store.syncLimits(spending),
    clock,
    onSyncError: warning("rate limits apply per process until the database is writable"),
  });
  const usage = new UsageCounter({
    write: (rows, at, links) => store.addUsage(rows, at, links),
    zone: async () => (await store.state()).rendering.zone,
    now,
    onError: warning("usage is buffered until the database is writable"),
  });
  const limits = httpRateLimits(limiter, clock);
  return {
    rateLimits: limits,
    guard: bruteForceGuard({ store, perMinute: wrongTokens, ticks }),
    countUsage: usage.count,
    flushUsage: () => usage.flush(),
    onSend: async (request, reply, body) => {
      const fields = limits.headersOf(request.raw);
      for (let at = 0; at < fields.length; at += 2) reply.header(fields[at] as string, fields[at + 1]);
      return body;
    },
    close: async () => {
      await limiter.close();
      await usage.flush();
    },
  };
}
