// Writes the records of an import in batches: with `put`, or with a load if there are many.
import { setTimeout } from "node:timers/promises";
import type { Resource } from "../core/catalog/resource.ts";
import type { IncomingRow, LoadResult, OnPhase, Store } from "../store/store.ts";

export type BatchWriter = {
  add(row: IncomingRow): void;
  /** Writes the batch in the background, once the previous one is written. */
  flush(): Promise<void>;
  /** Writes the rest. */
  end(): Promise<void>;
  /** Discards what isn't committed. */
  abort(): Promise<void>;
  /** Whether indexes have been rebuilt, so that there is nothing to optimize. */
  readonly isOptimized: boolean;
};

/** Called with the outcomes of records that are committed. */
type OnWritten = (outcomes: Readonly<LoadResult>) => void;

export function putWriter(store: Store, resource: Resource, onWritten: OnWritten): BatchWriter {
  let batch: IncomingRow[] = [];
  let writing = Promise.resolve();
  const flush = async () => {
    const full = batch;
    batch = [];
    await writing;
    if (full.length === 0) return;
    writing = store.put(resource, full).then((outcomes) => {
      const counts = { created: 0, updated: 0, unchanged: 0 };
      for (const outcome of outcomes) counts[outcome]++;
      onWritten(counts);
    });
    // A failure is thrown by the next flush, or at the end.
    writing.catch(() => {});
  };
  return {
    add: (row) => batch.push(row),
    flush,
    end: async () => {
      await flush();
      await writing;
    },
    abort: async () => {},
    isOptimized: false,
  };
}

/** Fewer records are written as fast by `put`. */
const leastForLoad = 5000;

/** A table is small if the import has this many times its records. Otherwise maintaining its indexes is cheaper. */
const timesTable = 3;

type Expected = {
  /** Undefined if unknown, as for standard input: it may never end, and other writers would wait for it. */
  readonly records: number | undefined;
  /** Characters of a record, on average. */
  readonly text: number;
};

/** Returns undefined if the records are too few to begin a load. */
export async function loadWriter(
  store: Store,
  resource: Resource,
  expected: Expected,
  onWritten: OnWritten,
  onPhase?: OnPhase,
): Promise<BatchWriter | undefined> {
  const { records = 0, text } = expected;
  if (records < leastForLoad) return undefined;
  const { loading } = store;
  const rebuild = loading.rebuilds && (await store.count(resource)) * timesTable <= records;
  let load = await store.load(resource, { rebuild, records, text: records * text });
  let began = performance.now();
  let added = 0;
  const isOver = () => added >= loading.records || performance.now() - began >= loading.seconds * 1000;
  return {
    add: (row) => {
      load.add(row);
      added++;
    },
    flush: async () => {
      await load.flush();
      if (rebuild || !isOver()) return;
      onWritten(await load.commit());
      await setTimeout(loading.pauseMilliseconds);
      load = await store.load(resource);
      began = performance.now();
      added = 0;
    },
    end: async () => onWritten(await load.commit(onPhase)),
    abort: () => load.rollback(),
    isOptimized: rebuild,
  };
}
