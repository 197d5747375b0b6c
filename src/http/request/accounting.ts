// What a server keeps account of: the limits of keys, wrong tokens, and what keys use. Made together, and closed together.
import type { FastifyReply, FastifyRequest } from "fastify";
import { Limiter } from "../../limits/limiter.ts";
import { UsageCounter } from "../../limits/usage.ts";
import type { Store } from "../../store/store.ts";
import type { Observer } from "../observe/access-log.ts";
import type { Log } from "../observe/log.ts";
import { type BruteForceGuard, bruteForceGuard } from "./brute-force.ts";
import { type RateLimits, rateLimits } from "./rate-limit.ts";

export type Accounting = {
  readonly admission: RateLimits;
  readonly guesses: BruteForceGuard;
  readonly countUsage: Observer;
  /** Writes what was counted of the use of keys and is not written. */
  readonly flushUsage: () => Promise<unknown>;
  /** Tells, with an answer of the framework, how the key of its request stands. */
  readonly onSend: (request: FastifyRequest, reply: FastifyReply, body: unknown) => Promise<unknown>;
  /** Writes what has not been written. */
  close(): Promise<void>;
};

export type AccountingOptions = {
  readonly store: Store;
  readonly log: Log;
  /** Unix seconds. */
  readonly now: () => number;
  /** Milliseconds that only go forward. */
  readonly ticks: () => number;
  /** Wrong tokens that an address may send in a minute; 0: any number. */
  readonly wrongTokens: number;
};

/** A database that is away is told of once in so many seconds. */
const tellEvery = 10;

export function accounting({ store, log, now, wrongTokens, ...options }: AccountingOptions): Accounting {
  const ticks = () => options.ticks() / 1000;
  const clock = { now, ticks };
  const seldom = (words: string) => {
    let told = Number.NEGATIVE_INFINITY;
    return (error: unknown) => {
      if (ticks() < told + tellEvery) return;
      told = ticks();
      log.warn({ error: String(error) }, words);
    };
  };
  const limiter = new Limiter({
    exchange: (spending) => store.syncLimits(spending),
    clock,
    onSyncError: seldom("limits hold for this process alone until the database can be written to"),
  });
  const usage = new UsageCounter({
    write: (rows, at) => store.addUsage(rows, at),
    zone: async () => (await store.state()).rendering.zone,
    now,
    onError: seldom("what keys have used is written once the database can be written to"),
  });
  const admitting = rateLimits(limiter, clock);
  return {
    admission: admitting,
    guesses: bruteForceGuard({ store, perMinute: wrongTokens, ticks }),
    countUsage: usage.count,
    flushUsage: () => usage.flush(),
    onSend: async (request, reply, body) => {
      const fields = admitting.headersOf(request.raw);
      for (let at = 0; at < fields.length; at += 2) reply.header(fields[at] as string, fields[at + 1]);
      return body;
    },
    close: async () => {
      await limiter.close();
      await usage.flush();
    },
  };
}
