// `feed`: imports RSS and Atom feeds as news, once or repeatedly.
import { setTimeout } from "node:timers/promises";
import { UsageError } from "../config.ts";
import { maxIndexedLength } from "../core/catalog/field.ts";
import { secondsUntilNextPoll } from "../feeds/fetch/schedule.ts";
import { feedName, type PollContext, type PollResult, pollFeed, type Subscription } from "../feeds/poll.ts";
import { printReport } from "../ingest/import.ts";
import { version } from "../package.ts";
import { catalog } from "../resources/catalog.ts";
import { StoreError } from "../store/store.ts";
import { type Command, print, printError } from "./command.ts";
import { parseDuration } from "./shared/duration.ts";
import { openStore } from "./shared/open-store.ts";
import { resourceByName } from "./shared/resource-by-name.ts";
import { stopSignal } from "./shared/stop-signal.ts";

/** Feeds that are fetched concurrently. */
const maxConcurrent = 4;

export const feedCommand: Command = {
  maxArgs: Number.POSITIVE_INFINITY,
  settings: ["database"],
  options: {
    channel: { value: "NAME", help: "channel to add to all items, besides the feed's categories" },
    every: { value: "TIME", help: "fetch the feeds at this interval, such as 5m, until stopped" },
  },
  run: async ({ args, config, options }) => {
    const subscriptions = parseSubscriptions(args, options.channel as string | undefined);
    const every =
      options.every === undefined ? undefined : parseDuration("every", String(options.every), 10, 7 * 86_400);
    // By name, which excludes replicas: they may not have what was just written.
    const store = await openStore(config, "create", "database", config.get("database"));
    const stopped = new AbortController();
    const visit: PollContext = {
      store,
      catalog,
      news: resourceByName("news"),
      fetching: { agent: `Bellwire/${version}`, signal: stopped.signal },
      now: () => Math.floor(Date.now() / 1000),
      onRefused: (item, reasons) => printError(`refused: ${item}: ${reasons.join("; ")}`),
    };
    try {
      await store.prepare();
      if (every === undefined) return await pollOnce(subscriptions, visit);
      void stopSignal().then(() => stopped.abort());
      const turn = semaphore(maxConcurrent);
      await Promise.all(subscriptions.map((each) => pollRepeatedly(each, visit, every, turn, stopped.signal)));
      // All feeds are gone.
      return stopped.signal.aborted ? 0 : 1;
    } finally {
      await store.close();
    }
  },
};

function parseSubscriptions(args: readonly string[], channelName: string | undefined): Subscription[] {
  if (args.length === 0) throw new UsageError("URL: expected at least one feed URL");
  const channel = channelName?.trim();
  if (channel === "" || (channel?.length ?? 0) > maxIndexedLength) {
    throw new UsageError(`--channel: expected a name of 1 to ${maxIndexedLength} characters, got "${channelName}"`);
  }
  const subscriptions = args.map((word) => {
    const url = URL.canParse(word) ? new URL(word) : undefined;
    if (url === undefined || !/^https?:$/.test(url.protocol)) {
      throw new UsageError(`URL: expected an http:// or https:// URL, got "${word}"`);
    }
    return { url, channel };
  });
  // A feed that is listed twice is fetched once.
  return [...new Map(subscriptions.map((each) => [feedName(each.url), each])).values()];
}

/** The feed's URL without parts that may be secret. */
const displayUrl = ({ url }: Subscription): string => `${url.origin}${url.pathname}`;

async function pollOnce(subscriptions: readonly Subscription[], visit: PollContext): Promise<number> {
  let status = 0;
  for (const subscription of subscriptions) {
    const visited = await pollFeed(subscription, visit);
    report(subscription, visited, true);
    if (visited.kind === "failed" || (visited.kind === "read" && visited.counts.refused > 0)) status = 1;
  }
  return status;
}

/** Prints the result of a poll; `always` prints it even when nothing changed. */
function report(subscription: Subscription, visited: PollResult, always: boolean): void {
  if (visited.kind === "failed") printError(`feed: ${displayUrl(subscription)}: ${visited.reason}`);
  if (visited.kind === "same" && always) print(`${displayUrl(subscription)}: not modified`);
  if (visited.kind !== "read") return;
  const { counts, omitted } = visited;
  if (always || counts.created + counts.updated > 0) print(`${displayUrl(subscription)}: ${printReport(counts)}`);
  if (omitted > 0)
    printError(`feed: ${displayUrl(subscription)}: ${omitted} items beyond the first ${counts.read} were not read`);
}

async function pollRepeatedly(
  subscription: Subscription,
  visit: PollContext,
  everySeconds: number,
  turn: <T>(work: () => Promise<T>) => Promise<T>,
  signal: AbortSignal,
): Promise<void> {
  let failures = 0;
  let ttlSeconds: number | undefined;
  while (!signal.aborted) {
    const visited = await turn(() => tryPoll(subscription, visit));
    if (signal.aborted) return;
    report(subscription, visited, false);
    if (visited.kind === "failed" && visited.gone) return;
    failures = visited.kind === "failed" ? failures + 1 : 0;
    if (visited.kind === "read") ttlSeconds = visited.ttlSeconds;
    const waitSeconds = visited.kind === "failed" ? visited.waitSeconds : undefined;
    const seconds = secondsUntilNextPoll({ everySeconds, ttlSeconds, waitSeconds, failures }, Math.random());
    await setTimeout(seconds * 1000, undefined, { signal }).catch(() => {});
  }
}

/** Treats a database error like a failed poll, to be retried later. */
async function tryPoll(subscription: Subscription, visit: PollContext): Promise<PollResult> {
  try {
    return await pollFeed(subscription, visit);
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
    return { kind: "failed", reason: error.message };
  }
}

/** Runs at most this many tasks at a time; the others wait in order. */
function semaphore(most: number): <T>(work: () => Promise<T>) => Promise<T> {
  let free = most;
  const waiting: (() => void)[] = [];
  return async (work) => {
    if (free === 0) await new Promise<void>((resolve) => waiting.push(resolve));
    else free--;
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next === undefined) free++;
      else next();
    }
  };
}
