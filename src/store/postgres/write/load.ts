// A load into PostgreSQL: batches in one transaction, each written while the next one is being read.
import type pg from "pg";
import type { Rendering } from "../../../core/catalog/field.ts";
import type { Resource } from "../../../core/catalog/resource.ts";
import type { IncomingRow, Load, LoadResult } from "../../store.ts";
import type { Query } from "../pool/pool.ts";
import { readState } from "../replicas/node-state.ts";
import { writeRows } from "./write-records.ts";
import type { Write } from "./writer.ts";

type Transaction = { readonly client: pg.PoolClient; readonly query: Query; readonly rendering: Rendering };

/** Thrown inside the transaction to roll it back. */
class Rollback extends Error {}

/** `at`: timestamp for the change log; undefined to skip logging. */
export async function beginLoad(write: Write, resource: Resource, at: number | undefined): Promise<Load> {
  const result: LoadResult = { created: 0, updated: 0, unchanged: 0 };
  const opened = Promise.withResolvers<Transaction>();
  const ended = Promise.withResolvers<void>();
  const transaction = write(resource.name, async (client, query) => {
    opened.resolve({ client, query, rendering: (await readState(query)).rendering });
    await ended.promise;
    return { result, changed: result.created + result.updated > 0 };
  });
  // Whoever waits for either of them gets the error.
  transaction.catch(opened.reject);
  const { client, query, rendering } = await opened.promise;

  let batch: IncomingRow[] = [];
  let writing: Promise<void> = Promise.resolve();
  const writeBatch = async (rows: readonly IncomingRow[]): Promise<void> => {
    for (const outcome of await writeRows(client, query, resource, rows, rendering, at)) result[outcome]++;
  };
  const flush = async (): Promise<void> => {
    const rows = batch;
    batch = [];
    await writing;
    if (rows.length === 0) return;
    writing = writeBatch(rows);
    // Reported by the next call.
    writing.catch(() => {});
  };
  return {
    add: (row) => batch.push(row),
    flush,
    commit: async () => {
      await flush();
      await writing;
      ended.resolve();
      return transaction;
    },
    rollback: async () => {
      await writing.catch(() => {});
      ended.reject(new Rollback());
      await transaction.catch((error) => {
        if (!(error instanceof Rollback)) throw error;
      });
    },
  };
}
