// Runs a mirror: fills the database from an upstream with the same interface and follows it, in one process at a time.
import type { Resource } from "../core/catalog/resource.ts";
import { type Store, StoreError } from "../store/store.ts";
import { probeChangeFeed } from "./change-feed.ts";
import { checkpointNames, type MirrorState, type Via, writeCheckpoint } from "./checkpoint.ts";
import { type Clock, toSeconds } from "./clock.ts";
import { type FollowOptions, followFeed, followLists } from "./follow.ts";
import { acquireLease } from "./lease.ts";
import type { AttributeProbe } from "./lists/discover.ts";
import type { SyncContext } from "./lists/lists.ts";
import type { ReconcileOptions } from "./lists/reconcile.ts";
import { openMirrorState } from "./upstream/origin.ts";
import { type Rate, requestBudget } from "./upstream/request-budget.ts";
import { openUpstream, StoppedError, type TokenLocation, type Upstream } from "./upstream/upstream.ts";

export type MirrorOptions = {
  readonly store: Store;
  readonly resources: readonly Resource[];
  readonly base: URL;
  readonly token: string;
  readonly tokenIn: TokenLocation;
  readonly rate: Rate;
  /** First day to mirror; undefined: no limit. */
  readonly floor: string | undefined;
  readonly everyMs: number;
  readonly once: boolean;
  readonly via: "auto" | Via;
  readonly reconcile: ReconcileOptions;
  /** Filters used to discover hidden attributes when reading lists. */
  readonly probes: ReadonlyMap<string, readonly AttributeProbe[]>;
  /** Treats existing records, including those of another upstream, as this upstream's. */
  readonly adopt: boolean;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  readonly batchSize: number;
  readonly timeoutMs?: number;
  readonly retryMs?: number;
  /** Logs failures and decisions. */
  readonly log: (text: string) => void;
  readonly onIngested: (records: number) => void;
};

/** Attempts per request when running `once`, which must end eventually. */
const attemptsOnce = 12;
/** An upstream without a change feed is probed again after this long. */
const probeAgainSeconds = 86_400;
const databaseRetryMs = 2000;

/** Runs until stopped, or with `once` until everything is mirrored. Returns the failures that remain. */
export async function mirror(options: MirrorOptions): Promise<readonly string[]> {
  const { store, clock, signal, once, log } = options;
  for (;;) {
    try {
      const lease = await acquireLease(store, clock, signal, (holder) =>
        log(`waiting: ${holder} is already mirroring into this database`),
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
        log("lost the lease: another process took over, or the database was unavailable for too long");
      } else if (error instanceof StoreError && !once) {
        log(`database error, retrying: ${error.message}`);
        await clock.sleep(databaseRetryMs, signal);
      } else throw error;
    }
  }
}

async function run(options: MirrorOptions, signal: AbortSignal, quietMs: number): Promise<readonly string[]> {
  const { store, clock, once, log } = options;
  const root = await openMirrorState(options);
  const before = root.requests;
  const budget = requestBudget(options.rate, clock, quietMs);
  const source: Upstream = openUpstream({
    ...options,
    signal,
    budget,
    attempts: once ? attemptsOnce : Number.POSITIVE_INFINITY,
    onRetry: log,
  });
  const save = async (): Promise<void> => {
    root.requests = before + budget.total;
    root.used = budget.used();
    await writeCheckpoint(store, checkpointNames.root, root);
  };
  const context: SyncContext = {
    request: source.request,
    clock,
    floor: options.floor,
    probes: options.probes,
    ingest: {
      store,
      batchSize: options.batchSize,
      now: () => toSeconds(clock.now()),
      onIngested: options.onIngested,
      onRefused: ({ name }, { id, reasons }) => log(`${name} ${id}: refused: ${reasons}`),
    },
  };
  const followOptions: FollowOptions = {
    ...options,
    context,
    signal,
    report: (part, why) => {
      if (why === undefined) delete root.errors[part];
      else {
        if (root.errors[part]?.text !== why) log(why);
        root.errors[part] = { at: toSeconds(clock.now()), text: why };
      }
    },
    onCycle: save,
  };
  try {
    root.via = await chooseSource(options, root, context);
    await save();
    await (root.via === "changes" ? followFeed(followOptions) : followLists(followOptions));
  } finally {
    await save().catch(() => {});
  }
  if (signal.aborted) throw new StoppedError();
  return Object.values(root.errors).map(({ text }) => text);
}

/** The change feed if the upstream offers it and the token may read it. Never falls back from the feed to the lists. */
async function chooseSource(options: MirrorOptions, root: MirrorState, context: SyncContext): Promise<Via> {
  if (options.via !== "auto") return options.via;
  if (root.via === "changes") return root.via;
  const now = toSeconds(options.clock.now());
  if (root.via === "lists" && now - (root.feedRefused?.at ?? 0) < probeAgainSeconds) return root.via;
  const refused = await probeChangeFeed(context, options.resources);
  if (refused === undefined) {
    delete root.feedRefused;
    options.log("the upstream offers a change feed; reading it instead of the lists");
    return "changes";
  }
  root.feedRefused = { at: now, detail: refused.detail };
  if (refused.status === 403)
    options.log(`the token may not read the change feed (${refused.detail}); reading the lists`);
  return "lists";
}
