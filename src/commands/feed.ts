// `feed`: RSS and Atom feeds → news, once or again and again.
import { setTimeout } from "node:timers/promises";
import { UsageError } from "../config.ts";
import { mostIndexed } from "../core/catalog/field.ts";
import { nextVisit } from "../feeds/fetch/schedule.ts";
import { feedName, type Subscription, type Visit, type Visited, visitFeed } from "../feeds/poll.ts";
import { printReport } from "../ingest/import.ts";
import { version } from "../package.ts";
import { catalog } from "../resources/catalog.ts";
import { StoreError } from "../store/store.ts";
import { type Command, complain, say } from "./command.ts";
import { durationOf } from "./shared/duration.ts";
import { openStore } from "./shared/open-store.ts";
import { resourceNamed } from "./shared/resource-by-name.ts";
import { stopSignal } from "./shared/stop-signal.ts";

/** Feeds that are visited at the same time. */
const mostAtOnce = 4;

export const feedCommand: Command = {
  mostWords: Number.POSITIVE_INFINITY,
  settings: ["database"],
  options: {
    channel: { value: "NAME", help: "a channel that all items get, besides the categories of the feed" },
    every: { value: "TIME", help: "visit the feeds at this interval, such as 5m, until stopped" },
  },
  run: async ({ words, config, options }) => {
    const subscriptions = subscriptionsOf(words, options.channel as string | undefined);
    const every = options.every === undefined ? undefined : durationOf("every", String(options.every), 10, 7 * 86_400);
    // By its name: what was just written must be read, and a replica may not have it yet.
    const store = await openStore(config, "make", "database", config.get("database"));
    const stopped = new AbortController();
    const visit: Visit = {
      store,
      catalog,
      news: resourceNamed("news"),
      fetching: { agent: `Bellwire/${version}`, signal: stopped.signal },
      now: () => Math.floor(Date.now() / 1000),
      onRefused: (item, reasons) => complain(`refused: ${item}: ${reasons.join("; ")}`),
    };
    try {
      await store.prepare();
      if (every === undefined) return await visitOnce(subscriptions, visit);
      void stopSignal().then(() => stopped.abort());
      const turn = turns(mostAtOnce);
      await Promise.all(subscriptions.map((each) => follow(each, visit, every, turn, stopped.signal)));
      // Feeds that are all gone leave nothing to wait for.
      return stopped.signal.aborted ? 0 : 1;
    } finally {
      await store.close();
    }
  },
};

function subscriptionsOf(words: readonly string[], given: string | undefined): Subscription[] {
  if (words.length === 0) throw new UsageError("URL: expected at least one address of a feed");
  const channel = given?.trim();
  if (channel === "" || (channel?.length ?? 0) > mostIndexed) {
    throw new UsageError(`--channel: expected a name of 1 to ${mostIndexed} characters, got "${given}"`);
  }
  const subscriptions = words.map((word) => {
    const url = URL.canParse(word) ? new URL(word) : undefined;
    if (url === undefined || !/^https?:$/.test(url.protocol)) {
      throw new UsageError(`URL: expected an address that begins with http:// or https://, got "${word}"`);
    }
    return { url, channel };
  });
  // A feed that is named twice is visited once.
  return [...new Map(subscriptions.map((each) => [feedName(each.url), each])).values()];
}

/** Where a feed is, without what may be secret in its address. */
const shown = ({ url }: Subscription): string => `${url.origin}${url.pathname}`;

async function visitOnce(subscriptions: readonly Subscription[], visit: Visit): Promise<number> {
  let status = 0;
  for (const subscription of subscriptions) {
    const visited = await visitFeed(subscription, visit);
    tell(subscription, visited, true);
    if (visited.kind === "failed" || (visited.kind === "read" && visited.counts.refused > 0)) status = 1;
  }
  return status;
}

/** What a visit brought; a visit that brought nothing is worth a line only to those who asked for one visit. */
function tell(subscription: Subscription, visited: Visited, always: boolean): void {
  if (visited.kind === "failed") complain(`feed: ${shown(subscription)}: ${visited.reason}`);
  if (visited.kind === "same" && always) say(`${shown(subscription)}: not modified`);
  if (visited.kind !== "read") return;
  const { counts, left } = visited;
  if (always || counts.created + counts.updated > 0) say(`${shown(subscription)}: ${printReport(counts)}`);
  if (left > 0) complain(`feed: ${shown(subscription)}: ${left} items beyond the first ${counts.read} were not read`);
}

async function follow(
  subscription: Subscription,
  visit: Visit,
  everySeconds: number,
  turn: <T>(work: () => Promise<T>) => Promise<T>,
  signal: AbortSignal,
): Promise<void> {
  let failures = 0;
  let ttlSeconds: number | undefined;
  while (!signal.aborted) {
    const visited = await turn(() => survived(subscription, visit));
    if (signal.aborted) return;
    tell(subscription, visited, false);
    if (visited.kind === "failed" && visited.gone) return;
    failures = visited.kind === "failed" ? failures + 1 : 0;
    if (visited.kind === "read") ttlSeconds = visited.ttlSeconds;
    const waitSeconds = visited.kind === "failed" ? visited.waitSeconds : undefined;
    const seconds = nextVisit({ everySeconds, ttlSeconds, waitSeconds, failures }, Math.random());
    await setTimeout(seconds * 1000, undefined, { signal }).catch(() => {});
  }
}

/** A database that is away for a while is one more reason for another visit later. */
async function survived(subscription: Subscription, visit: Visit): Promise<Visited> {
  try {
    return await visitFeed(subscription, visit);
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
    return { kind: "failed", reason: error.message };
  }
}

/** Lets so many work at a time; the others wait in turn. */
function turns(most: number): <T>(work: () => Promise<T>) => Promise<T> {
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
