// One SQLite connection: pragmas, prepared statement cache, and error translation.
import { closeSync, mkdirSync, openSync } from "node:fs";
import { dirname } from "node:path";
import { DatabaseSync, type StatementSync } from "node:sqlite";
import { ExpensiveError, StoreError } from "../store.ts";
import { busyTimeoutMs } from "./busy-timeout.ts";

/** Values that node:sqlite accepts and returns. */
export type SqlValue = null | number | bigint | string | Uint8Array;
export type SqlRow = Record<string, SqlValue>;

/** Size of the LRU cache of prepared statements. */
const maxStatements = 500;

/**
 * Page cache sizes. A reader's is small: the operating system caches the file anyway, and copying pages that are still in
 * the processor's cache is a third faster.
 */
const readerCacheKb = 8192;
const writerCacheKb = 32_768;

const pageSize = 8192;

export class Connection {
  readonly db: DatabaseSync;
  readonly #statements = new Map<string, StatementSync>();
  #dataVersion: StatementSync | undefined;
  readonly #limitMs: number;
  #deadline = Number.POSITIVE_INFINITY;

  /** Without `waitsForLocks` the connection fails fast while another one writes, and doesn't sync its writes to disk. */
  constructor(file: string, options: { readOnly: boolean; waitsForLocks?: boolean; limitMs?: number }) {
    this.#limitMs = options.limitMs ?? Number.POSITIVE_INFINITY;
    const waitsForLocks = options.waitsForLocks ?? true;
    let db: DatabaseSync | undefined;
    try {
      if (!options.readOnly) createPrivately(file);
      db = new DatabaseSync(file, { readOnly: options.readOnly, timeout: waitsForLocks ? busyTimeoutMs : 10 });
      this.db = db;
      if (!waitsForLocks) this.db.exec("pragma synchronous = normal; pragma wal_autocheckpoint = 4000");
      else if (!options.readOnly) {
        // Applies to new files only. Records of a list are adjacent, so that larger pages mean fewer reads.
        this.db.exec(`pragma page_size = ${pageSize}`);
        // WAL lets readers proceed during a write; with full sync a committed write survives a power failure.
        retryWhileLocked(() => this.db.exec("pragma journal_mode = wal"));
        this.db.exec("pragma synchronous = full; pragma wal_autocheckpoint = 4000");
      }
      // For statements that check their time limit.
      this.db.function("in_time", { directOnly: true }, () => {
        if (performance.now() <= this.#deadline) return 1;
        throw new ExpensiveError(`a read of the SQLite database was canceled after ${this.#limitMs / 1000} seconds`);
      });
      this.db.exec(
        `pragma cache_size = -${options.readOnly ? readerCacheKb : writerCacheKb}; pragma temp_store = memory`,
      );
    } catch (error) {
      db?.close();
      throw new StoreError(`can't open the SQLite database ${file}: ${(error as Error).message}`, { cause: error });
    }
  }

  prepare(sql: string): StatementSync {
    let statement = this.#statements.get(sql);
    if (statement === undefined) {
      statement = this.db.prepare(sql);
      const [oldest] = this.#statements.keys();
      if (this.#statements.size >= maxStatements && oldest !== undefined) this.#statements.delete(oldest);
    } else this.#statements.delete(sql);
    this.#statements.set(sql, statement);
    return statement;
  }

  /** Changes when another connection commits. Read so often that its statement bypasses the cache. */
  dataVersion(): number {
    return translateErrors(() => {
      this.#dataVersion ??= this.db.prepare("pragma data_version");
      return Number(this.#dataVersion.get()?.data_version);
    });
  }

  get(sql: string, ...values: unknown[]): SqlRow | undefined {
    this.#deadline = performance.now() + this.#limitMs;
    return translateErrors(() => this.prepare(sql).get(...(values as SqlValue[])) as SqlRow | undefined);
  }

  all(sql: string, ...values: unknown[]): SqlRow[] {
    this.#deadline = performance.now() + this.#limitMs;
    return translateErrors(() => this.prepare(sql).all(...(values as SqlValue[])) as SqlRow[]);
  }

  /** Returns integers as bigints, because packed keys don't fit a double. */
  allBigInt(sql: string, ...values: unknown[]): SqlRow[] {
    return translateErrors(() => {
      const statement = this.prepare(sql);
      statement.setReadBigInts(true);
      return statement.all(...(values as SqlValue[])) as SqlRow[];
    });
  }

  run(sql: string, ...values: unknown[]): number {
    return translateErrors(() => {
      const statement = this.prepare(sql);
      // The result includes the last key, and packed keys don't fit a double.
      statement.setReadBigInts(true);
      return Number(statement.run(...(values as SqlValue[])).changes);
    });
  }

  transaction<T>(work: () => T): T {
    return translateErrors(() => {
      this.db.exec("begin immediate");
      try {
        const result = work();
        this.db.exec("commit");
        return result;
      } catch (error) {
        // A failed commit may already have rolled back.
        if (this.db.isTransaction) this.db.exec("rollback");
        throw error;
      }
    });
  }

  close(): void {
    this.#statements.clear();
    this.db.close();
  }
}

/** Makes a new file readable by its owner only: it contains licensed data and key hashes. SQLite's WAL inherits the mode. */
function createPrivately(file: string): void {
  mkdirSync(dirname(file), { recursive: true });
  try {
    closeSync(openSync(file, "wx", 0o600));
  } catch (error) {
    // An existing file isn't opened: closing it would release this process's locks on it.
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  }
}

/** The process that creates a file briefly locks all of it, and SQLite's busy timeout doesn't cover that. */
function retryWhileLocked(work: () => void): void {
  const deadline = performance.now() + busyTimeoutMs;
  for (;;) {
    try {
      work();
      return;
    } catch (error) {
      if (resultCode(error) !== locked || performance.now() > deadline) throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 20);
    }
  }
}

const locked = 5;
const corrupt = 11;
const notDatabase = 26;

/** The primary result code, which is the low byte of an extended one. */
const resultCode = (error: unknown): number => ((error as { errcode?: number } | undefined)?.errcode ?? 0) & 0xff;

/** Whether an error means that the file is corrupt or not a database. */
export const isCorrupt = (error: unknown): boolean => [corrupt, notDatabase].includes(resultCode(error));

/** Whether an error means that another connection holds a lock. */
export const isLocked = (error: unknown): boolean => error instanceof StoreError && resultCode(error.cause) === locked;

/** Result codes that mean the database is unavailable; any other one is a bug. */
const unavailable = new Map([
  [locked, "it is locked by another process"],
  [8, "it is read-only"],
  [10, "reading or writing the file failed"],
  [corrupt, "the file is damaged"],
  [13, "the disk is full"],
  [14, "the file can't be opened"],
  [notDatabase, "the file is not a SQLite database"],
]);

/** Runs work on SQLite, and turns errors that mean the database is unavailable into a StoreError. */
export function translateErrors<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    const reason = unavailable.get(resultCode(error));
    if (reason === undefined) throw error;
    throw new StoreError(`the SQLite database failed: ${reason} (${(error as Error).message})`, { cause: error });
  }
}
