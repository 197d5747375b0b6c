// One connection to a SQLite file: how it is set up, and its prepared statements by text.
import { closeSync, mkdirSync, openSync } from "node:fs";
import { dirname } from "node:path";
import { DatabaseSync, type StatementSync } from "node:sqlite";
import { ExpensiveError, StoreError } from "../store.ts";

/** What node:sqlite takes and gives. */
export type SqlValue = null | number | bigint | string | Uint8Array;
export type SqlRow = Record<string, SqlValue>;

/** Statements kept prepared; beyond this the one unused longest is forgotten. */
const mostStatements = 500;

/**
 * Kilobytes of pages that a connection keeps. A reader keeps few: the system holds the file in memory anyway, and pages
 * that the processor's own cache still has are copied a third faster than those of a larger one.
 */
const readCache = 8192;
const writeCache = 32_768;

const pageSize = 8192;

/** How long another process may hold the file. */
const patienceMs = 30_000;

export class Connection {
  readonly db: DatabaseSync;
  readonly #statements = new Map<string, StatementSync>();
  #dataVersion: StatementSync | undefined;
  readonly #limitMs: number;
  #until = Number.POSITIVE_INFINITY;

  /** One that is not patient gives up soon when another writes, and leaves it to the system when its writes reach the disk. */
  constructor(file: string, options: { readOnly: boolean; patient?: boolean; limitMs?: number }) {
    this.#limitMs = options.limitMs ?? Number.POSITIVE_INFINITY;
    const patient = options.patient ?? true;
    try {
      if (!options.readOnly) create(file);
      this.db = new DatabaseSync(file, { readOnly: options.readOnly, timeout: patient ? patienceMs : 10 });
      if (!patient) this.db.exec("pragma synchronous = normal; pragma wal_autocheckpoint = 4000");
      else if (!options.readOnly) {
        // Of a new file alone. Records of a list lie side by side: with larger pages fewer have to be read for them.
        this.db.exec(`pragma page_size = ${pageSize}`);
        // Readers go on while one writer writes; an acknowledged write survives a power cut.
        insist(() => this.db.exec("pragma journal_mode = wal"));
        this.db.exec("pragma synchronous = full; pragma wal_autocheckpoint = 4000");
      }
      // For statements that ask whether they may go on.
      this.db.function("in_time", { directOnly: true }, () => {
        if (performance.now() <= this.#until) return 1;
        throw new ExpensiveError(`a read of the SQLite database was canceled after ${this.#limitMs / 1000} seconds`);
      });
      this.db.exec(`pragma cache_size = -${options.readOnly ? readCache : writeCache}; pragma temp_store = memory`);
    } catch (error) {
      throw new StoreError(`can't open the SQLite database ${file}: ${(error as Error).message}`, { cause: error });
    }
  }

  prepare(sql: string): StatementSync {
    let statement = this.#statements.get(sql);
    if (statement === undefined) {
      statement = this.db.prepare(sql);
      const [oldest] = this.#statements.keys();
      if (this.#statements.size >= mostStatements && oldest !== undefined) this.#statements.delete(oldest);
    } else this.#statements.delete(sql);
    this.#statements.set(sql, statement);
    return statement;
  }

  /** Moves when any other connection commits. Asked on every request, so its statement is always at hand. */
  dataVersion(): number {
    return reporting(() => {
      this.#dataVersion ??= this.db.prepare("pragma data_version");
      return Number(this.#dataVersion.get()?.data_version);
    });
  }

  get(sql: string, ...values: unknown[]): SqlRow | undefined {
    this.#until = performance.now() + this.#limitMs;
    return reporting(() => this.prepare(sql).get(...(values as SqlValue[])) as SqlRow | undefined);
  }

  all(sql: string, ...values: unknown[]): SqlRow[] {
    this.#until = performance.now() + this.#limitMs;
    return reporting(() => this.prepare(sql).all(...(values as SqlValue[])) as SqlRow[]);
  }

  /** With every integer as a bigint: packed keys do not fit a double. */
  allWide(sql: string, ...values: unknown[]): SqlRow[] {
    return reporting(() => {
      const statement = this.prepare(sql);
      statement.setReadBigInts(true);
      return statement.all(...(values as SqlValue[])) as SqlRow[];
    });
  }

  run(sql: string, ...values: unknown[]): number {
    return reporting(() => {
      const statement = this.prepare(sql);
      // The result carries the last key, and packed keys do not fit a double.
      statement.setReadBigInts(true);
      return Number(statement.run(...(values as SqlValue[])).changes);
    });
  }

  /** All or nothing. */
  transaction<T>(work: () => T): T {
    return reporting(() => {
      this.db.exec("begin immediate");
      try {
        const result = work();
        this.db.exec("commit");
        return result;
      } catch (error) {
        // A failed commit may have rolled back already.
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

/** Only its owner may read a new file: it holds licensed data and hashes of keys. SQLite gives its log the same mode. */
function create(file: string): void {
  mkdirSync(dirname(file), { recursive: true });
  try {
    closeSync(openSync(file, "wx", 0o600));
  } catch (error) {
    // Never opened here: closing it would release the locks that this process holds on it.
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  }
}

/** The first of several processes to make a file holds all of it for a moment, and SQLite does not wait for that itself. */
function insist(work: () => void): void {
  const until = performance.now() + patienceMs;
  for (;;) {
    try {
      work();
      return;
    } catch (error) {
      if (codeOf(error) !== locked || performance.now() > until) throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 20);
    }
  }
}

const locked = 5;
const damaged = 11;
const notDatabase = 26;

/** Extended result codes carry the plain one in their low byte. */
const codeOf = (error: unknown): number => ((error as { errcode?: number } | undefined)?.errcode ?? 0) & 0xff;

/** Whether an error of SQLite means that the file is damaged, or not a database at all. */
export const isDamage = (error: unknown): boolean => [damaged, notDatabase].includes(codeOf(error));

/** Whether an error of a connection means that another one holds the file. */
export const isLocked = (error: unknown): boolean => error instanceof StoreError && codeOf(error.cause) === locked;

/** Result codes of SQLite that mean the database can't be used now; any other is a fault of ours. */
const lost = new Map([
  [locked, "it is locked by another process"],
  [8, "it can't be written to"],
  [10, "reading or writing the file failed"],
  [damaged, "the file is damaged"],
  [13, "the disk is full"],
  [14, "the file can't be opened"],
  [notDatabase, "the file is not a SQLite database"],
]);

/** Runs work on SQLite; what means that the database can't be used becomes a StoreError. */
export function reporting<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    const reason = lost.get(codeOf(error));
    if (reason === undefined) throw error;
    throw new StoreError(`the SQLite database failed: ${reason} (${(error as Error).message})`, { cause: error });
  }
}
