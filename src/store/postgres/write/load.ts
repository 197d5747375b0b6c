// A load: batches written in one transaction, each while the next one is being read and encoded.
import type pg from "pg";
import type { Resource } from "../../../core/catalog/resource.ts";
import { encodeRow, tablesOf } from "../../rows/row-encoding.ts";
import { CountDelta } from "../../sql/count-delta.ts";
import type { IncomingRow, Load, LoadResult } from "../../store.ts";
import type { Query } from "../pool/pool.ts";
import { readState } from "../replicas/node-state.ts";
import { hasRemovalsOf } from "./change-log.ts";
import { writeCounts } from "./write-counts.ts";
import { type EncodedIncoming, type WriteOptions, writeRows } from "./write-records.ts";
import type { Write } from "./writer.ts";

/** Indexes stay in place: dropping one would block readers. `at` is the time of log entries; undefined to log nothing. */
export async function beginLoad(write: Write, resource: Resource, at: number | undefined): Promise<Load> {
  const begun = Promise.withResolvers<Batches>();
  const ended = Promise.withResolvers<void>();
  const result = write(resource.name, async (client, query) => {
    const { rendering } = await readState(query);
    const hasRemovals = await hasRemovalsOf(query, resource.name);
    const batches = new Batches(client, query, resource, { rendering, at, hasRemovals });
    begun.resolve(batches);
    await ended.promise;
    return batches.end();
  });
  result.catch(begun.reject);
  const batches = await begun.promise;
  /** Ends the transaction if a batch fails; its result then has the error to report. */
  const orRollback = async (work: Promise<void>): Promise<void> => {
    try {
      await work;
    } catch (error) {
      ended.reject(error);
      await result;
    }
  };
  return {
    add: (row) => batches.add(row),
    flush: () => orRollback(batches.flush()),
    commit: async () => {
      await orRollback(batches.flush().then(() => batches.written()));
      ended.resolve();
      return result;
    },
    rollback: async () => {
      await batches.written().catch(() => {});
      ended.reject(new Error("the load was rolled back"));
      await result.catch(() => {});
    },
  };
}

class Batches {
  readonly #client: pg.PoolClient;
  readonly #query: Query;
  readonly #options: WriteOptions;
  readonly #delta: CountDelta;
  readonly #total: LoadResult = { created: 0, updated: 0, unchanged: 0 };
  #batch: EncodedIncoming[] = [];
  #writing: Promise<void> = Promise.resolve();

  constructor(client: pg.PoolClient, query: Query, resource: Resource, options: WriteOptions) {
    this.#client = client;
    this.#query = query;
    this.#options = options;
    this.#delta = new CountDelta(tablesOf(resource));
  }

  add(incoming: IncomingRow): void {
    const encoded = encodeRow(this.#delta.tables, incoming.row, this.#options.rendering);
    this.#batch.push({ ...incoming, encoded });
  }

  /** Starts to write the batch as soon as the previous one is written, and waits until then. */
  async flush(): Promise<void> {
    const batch = this.#batch;
    this.#batch = [];
    const previous = this.#writing;
    this.#writing = previous.then(() => this.#write(batch));
    // Reported by the next call.
    this.#writing.catch(() => {});
    await previous;
  }

  written(): Promise<void> {
    return this.#writing;
  }

  async end(): Promise<{ result: LoadResult; changed: boolean }> {
    await writeCounts(this.#query, this.#delta);
    return { result: this.#total, changed: this.#total.created + this.#total.updated > 0 };
  }

  async #write(batch: readonly EncodedIncoming[]): Promise<void> {
    const outcomes = await writeRows(this.#client, this.#query, this.#delta, batch, this.#options);
    for (const outcome of outcomes) this.#total[outcome]++;
  }
}
