// Runs a mirror: fills the database from an upstream with the same interface and follows it, in one process at a time.
import type { Resource } from "../core/catalog/resource.ts";
import { type Clock, toSeconds } from "../lease/clock.ts";
import { acquireLease } from "../lease/lease.ts";
import { type Store, StoreError } from "../store/store.ts";
import { probeChangeFeed } from "./change-feed.ts";
import { checkpointNames, type MirrorState, partNames, type Via, writeCheckpoint } from "./checkpoint.ts";
import { type FollowOptions, followFeed, followLists } from "./follow.ts";
import type { AttributeProbe } from "./lists/discover.ts";
import type { SyncContext } from "./lists/lists.ts";
import type { ReconcileOptions } from "./lists/reconcile.ts";
import { openMirrorState } from "./upstream/origin.ts";
import { type Budget, type Rate, requestBudget } from "./upstream/request-budget.ts";
import { followStream } from "./upstream/stream.ts";
import {
  openUpstream,
  RetriesExhaustedError,
  StoppedError,
  type TokenLocation,
  type UpstreamOptions,
} from "./upstream/upstream.ts";
import { Wakes } from "./wake.ts";

export type MirrorOptions = {
  readonly store: Store;
  readonly resources: readonly Resource[];
  /** Whether the upstream may have more resources. */
  readonly isSubset: boolean;
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

/** Attempts per request, after which its part of the work has failed and tries again later. */
const attempts = 6;
/** Attempts when running `once`, and to probe the change feed: there is no later. */
const attemptsOnce = 12;
/** A part that has to wait this long for its next request is reported as failing. */
const longDelayMs = 10_000;
/** An upstream without a change feed is probed again after this long. */
const probeAgainSeconds = 86_400;
const databaseRetryMs = 2000;

/** Runs until stopped, or with `once` until everything is mirrored. Returns the failures that remain. */
export async function mirror(options: MirrorOptions): Promise<readonly string[]> {
  const { store, clock, signal, once, log } = options;
  for (;;) {
    try {
      const lease = await acquireLease(store, checkpointNames.lease, clock, signal, (holder) =>
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

async function run(options: MirrorOptions, untilStopped: AbortSignal, quietMs: number): Promise<readonly string[]> {
  const { store, clock, once, log } = options;
  const root = await openMirrorState(options);
  const budget = requestBudget(options.rate, clock, quietMs);
  const { save, report, onRetry } = trackState(options, root, budget);
  const failed = new AbortController();
  const signal = AbortSignal.any([untilStopped, failed.signal]);
  const { request } = openUpstream({ ...options, signal, budget, attempts: once ? attemptsOnce : attempts, onRetry });
  const wakes = new Wakes({ clock, budget, rate: options.rate });
  const context: SyncContext = {
    request,
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
    stop: () => failed.abort(),
    report,
    onCycle: save,
    wakes,
  };
  try {
    root.via = await chooseSource(options, root, context);
    await save();
    const isOver = new AbortController();
    const streaming = once
      ? undefined
      : followAnnouncements(options, root, { budget, wakes, save }, AbortSignal.any([signal, isOver.signal]));
    try {
      await (root.via === "changes" ? followFeed(followOptions) : followLists(followOptions));
    } finally {
      isOver.abort();
      await streaming;
    }
  } finally {
    await save().catch(() => {});
  }
  if (untilStopped.aborted) throw new StoppedError();
  return Object.values(root.errors).map(({ text }) => text);
}

/** Follows the upstream's stream: what it announces is read at once. */
function followAnnouncements(
  { base, token, tokenIn, clock, resources, isSubset, log }: MirrorOptions,
  root: MirrorState,
  { budget, wakes, save }: { readonly budget: Budget; readonly wakes: Wakes; readonly save: () => Promise<void> },
  signal: AbortSignal,
): Promise<void> {
  let isKnown = false;
  return followStream({
    ...{ base, token, tokenIn, clock, budget, signal },
    resources: isSubset ? resources : undefined,
    onChange: (name) => wakes.call(name),
    onState: (isOpen) => {
      if (!isKnown) log("the upstream has a stream of changes: they are read as soon as it announces them");
      isKnown = true;
      root.isStreaming = isOpen;
      save().catch(() => {});
    },
  });
}

type StateTracker = Pick<FollowOptions, "report"> & Pick<UpstreamOptions, "onRetry"> & { save(): Promise<void> };

/** Records the outcome of every part in the state of the mirror. */
function trackState({ store, clock, log }: MirrorOptions, root: MirrorState, budget: Budget): StateTracker {
  const before = root.requests;
  let saved = Promise.resolve();
  const save: StateTracker["save"] = () => {
    // In order: several parts save at the same time.
    saved = saved
      .catch(() => {})
      .then(() => {
        root.requests = before + budget.total;
        root.used = budget.used();
        return writeCheckpoint(store, checkpointNames.root, root);
      });
    return saved;
  };
  const report: StateTracker["report"] = (part, why) => {
    if (why === undefined) delete root.errors[part];
    else {
      if (root.errors[part]?.text !== why) log(why);
      root.errors[part] = { at: toSeconds(clock.now()), text: why };
    }
  };
  const onRetry: StateTracker["onRetry"] = (text, { part, delayMs }) => {
    if (part !== undefined && delayMs >= longDelayMs) {
      report(part, `${part}: ${text}; waiting ${Math.round(delayMs / 1000)} s`);
      save().catch(() => {});
    } else if (part === undefined || root.errors[part] === undefined) log(text);
  };
  return { save, report, onRetry };
}

/** The change feed if the upstream offers it and the token may read it. Never falls back from the feed to the lists. */
async function chooseSource(options: MirrorOptions, root: MirrorState, context: SyncContext): Promise<Via> {
  if (options.via !== "auto") return options.via;
  if (root.via === "changes") return root.via;
  const now = toSeconds(options.clock.now());
  if (root.via === "lists" && now - (root.feedRefused?.at ?? 0) < probeAgainSeconds) return root.via;
  let refused = await probe(options, context);
  // Then the lists can't be read either, and the feed is worth waiting for.
  while (refused !== undefined && isDown(refused) && !options.once) refused = await probe(options, context);
  delete root.errors[partNames.feed];
  if (refused === undefined) {
    delete root.feedRefused;
    options.log("the upstream offers a change feed; reading it instead of the lists");
    return "changes";
  }
  const { status, detail } = refused;
  root.feedRefused = { at: isDown(refused) ? 0 : now, detail };
  if (status === 403) options.log(`the token may not read the change feed (${detail}); reading the lists`);
  return "lists";
}

type Probed = Awaited<ReturnType<typeof probeChangeFeed>>;

const isDown = ({ status }: NonNullable<Probed>): boolean => status === undefined || status === 429 || status === 503;

/** A feed that can't be read with all attempts is as good as none: some upstreams serve a web page on any path. */
const probe = (options: MirrorOptions, context: SyncContext): Promise<Probed> =>
  probeChangeFeed(context, options.resources, attemptsOnce).catch((error: unknown) => {
    if (error instanceof RetriesExhaustedError) return { status: error.status, detail: error.message };
    throw error;
  });
