// A mirror: a database that is filled from an upstream of this interface and follows it. One process of many does it.
import type { Resource } from "../core/catalog/resource.ts";
import { type Store, StoreError } from "../store/store.ts";
import { feedRefusal } from "./change-feed.ts";
import { noteNames, type Root, type Via, writeNote } from "./checkpoint.ts";
import { type Clock, seconds } from "./clock.ts";
import { type Following, followFeed, followLists } from "./follow.ts";
import { takeLease } from "./lease.ts";
import type { Lesson } from "./lists/discover.ts";
import type { Reading } from "./lists/lists.ts";
import type { RecheckOptions } from "./lists/reconcile.ts";
import { openRoot } from "./upstream/origin.ts";
import { budget, type Rate } from "./upstream/request-budget.ts";
import { StoppedError, type TokenPlace, type Upstream, upstream } from "./upstream/upstream.ts";

export type MirrorOptions = {
  readonly store: Store;
  readonly resources: readonly Resource[];
  readonly base: URL;
  readonly token: string;
  readonly tokenIn: TokenPlace;
  readonly rate: Rate;
  /** First day to read; undefined: all that there is. */
  readonly floor: string | undefined;
  readonly everyMs: number;
  readonly once: boolean;
  readonly via: "auto" | Via;
  readonly recheck: RecheckOptions;
  /** Filters that hidden attributes are learned by, where the lists are read. */
  readonly lessons: ReadonlyMap<string, readonly Lesson[]>;
  /** Records that are there already, or came from another upstream, are taken for the upstream's. */
  readonly adopt: boolean;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  readonly batchSize: number;
  readonly timeoutMs?: number;
  readonly retryMs?: number;
  /** For people: what goes wrong, and what is decided. */
  readonly say: (text: string) => void;
  readonly onTaken: (records: number) => void;
};

/** Attempts at a request when what is done once must end some time. */
const attemptsOnce = 12;
/** An upstream without a change feed is asked again after so long. */
const askAgainSeconds = 86_400;
const databaseAwayMs = 2000;

/** Runs until it is told to stop, or `once` until all is there. Gives what could not be done, in words. */
export async function mirror(options: MirrorOptions): Promise<readonly string[]> {
  const { store, clock, signal, once, say } = options;
  for (;;) {
    try {
      const lease = await takeLease(store, clock, signal, (holder) =>
        say(`waiting: ${holder} mirrors into this database`),
      );
      if (lease === undefined) return [];
      try {
        return await run(options, AbortSignal.any([signal, lease.lost]), lease.quietMs);
      } finally {
        await lease.release();
      }
    } catch (error) {
      if (error instanceof StoppedError) {
        if (signal.aborted) return [];
        say("another process has taken over, or the database was away for too long");
      } else if (error instanceof StoreError && !once) {
        say(`the database failed; trying again: ${error.message}`);
        await clock.sleep(databaseAwayMs, signal);
      } else throw error;
    }
  }
}

async function run(options: MirrorOptions, signal: AbortSignal, quietMs: number): Promise<readonly string[]> {
  const { store, clock, once, say } = options;
  const root = await openRoot(options);
  const before = root.requests;
  const spending = budget(options.rate, clock, quietMs);
  const source: Upstream = upstream({
    ...options,
    signal,
    budget: spending,
    attempts: once ? attemptsOnce : Number.POSITIVE_INFINITY,
    onTrouble: say,
  });
  const save = async (): Promise<void> => {
    root.requests = before + spending.total;
    root.used = spending.used();
    await writeNote(store, noteNames.root, root);
  };
  const reading: Reading = {
    ask: source.ask,
    clock,
    floor: options.floor,
    lessons: options.lessons,
    take: {
      store,
      batchSize: options.batchSize,
      now: () => seconds(clock.now()),
      onTaken: options.onTaken,
      onRefused: ({ name }, { id, reasons }) => say(`${name} ${id}: refused: ${reasons}`),
    },
  };
  const following: Following = {
    ...options,
    reading,
    signal,
    tell: (part, why) => {
      if (why === undefined) delete root.errors[part];
      else {
        if (root.errors[part]?.text !== why) say(why);
        root.errors[part] = { at: seconds(clock.now()), text: why };
      }
    },
    onCycle: save,
  };
  try {
    root.via = await chooseVia(options, root, reading);
    await save();
    await (root.via === "changes" ? followFeed(following) : followLists(following));
  } finally {
    await save().catch(() => {});
  }
  if (signal.aborted) throw new StoppedError();
  return Object.values(root.errors).map(({ text }) => text);
}

/** The feed where the upstream has one and the key may read it. Once chosen, it is never left for less by itself. */
async function chooseVia(options: MirrorOptions, root: Root, reading: Reading): Promise<Via> {
  if (options.via !== "auto") return options.via;
  if (root.via === "changes") return root.via;
  const now = seconds(options.clock.now());
  if (root.via === "lists" && now - (root.feedRefused?.at ?? 0) < askAgainSeconds) return root.via;
  const refused = await feedRefusal(reading, options.resources);
  if (refused === undefined) {
    delete root.feedRefused;
    options.say("the upstream offers its change feed: it is read instead of the lists");
    return "changes";
  }
  root.feedRefused = { at: now, detail: refused.detail };
  if (refused.status === 403)
    options.say(`the change feed may not be read with this key (${refused.detail}); reading the lists`);
  return "lists";
}
