// One PostgreSQL server: a bounded pool with a bounded queue. What means "not available" becomes a StoreError.
import { hash } from "node:crypto";
import pg from "pg";
import { StoreError } from "../store.ts";
import { cancel } from "./cancel.ts";

export type DatabaseOptions = {
  readonly url: string;
  readonly poolSize: number;
  /** Requests that may wait for a connection; one more is refused at once. */
  readonly queueSize: number;
  readonly statementSeconds: number;
  /** Whether a connection is a session. Behind a pooler in transaction mode nothing of it lasts: no named statements. */
  readonly prepare: boolean;
};

export type PgRow = Record<string, unknown>;
export type Query = (sql: string, ...values: unknown[]) => Promise<PgRow[]>;

/** The server is there, but this was too much for it now. */
export class BusyError extends StoreError {}

/** Shapes of statements that are prepared by name on a connection; those beyond are sent whole. */
const mostPrepared = 400;

/** To make a connection, or to wait for one of the pool. */
const connectMs = 3000;

export class Database {
  readonly name: string;
  /** Whether notifications arrive; a pooler in transaction mode loses them. */
  readonly canListen: boolean;
  readonly #pool: pg.Pool;
  readonly #options: DatabaseOptions;
  readonly #names = new Map<string, string>();

  constructor(options: DatabaseOptions) {
    this.#options = options;
    this.name = addressOf(options.url);
    this.canListen = options.prepare;
    const limitMs = options.statementSeconds * 1000;
    this.#pool = new pg.Pool({
      connectionString: options.url,
      max: options.poolSize,
      connectionTimeoutMillis: connectMs,
      idleTimeoutMillis: 60_000,
      // The server's own limit strikes first; ours is for a server that does not answer at all. A pooler refuses
      // connections that ask for a limit: there ours is the only one.
      ...(options.prepare ? { statement_timeout: limitMs, query_timeout: limitMs + 2000 } : { query_timeout: limitMs }),
      keepAlive: true,
      allowExitOnIdle: true,
    });
    // A connection that breaks while idle is replaced on the next use.
    this.#pool.on("error", () => {});
  }

  /** One statement on any connection. Byte strings come as buffers, 64-bit integers as text. */
  async query(sql: string, ...values: unknown[]): Promise<PgRow[]> {
    return this.#using(async (client) => (await client.query(this.#statement(sql, values))).rows as PgRow[]);
  }

  /** All or nothing, on one connection. */
  async transaction<T>(work: (client: pg.PoolClient, query: Query) => Promise<T>): Promise<T> {
    return this.#using(async (client) => {
      await client.query("begin");
      try {
        const query: Query = async (sql, ...values) =>
          (await client.query(this.#statement(sql, values))).rows as PgRow[];
        const result = await work(client, query);
        await client.query("commit");
        return result;
      } catch (error) {
        // A connection that is broken is thrown away, and the transaction with it.
        if (!isBroken(error)) await client.query("rollback").catch(() => {});
        throw error;
      }
    });
  }

  /** A connection outside the pool, with a limit for each of its statements. */
  async connect(limitMs?: number): Promise<pg.Client> {
    const client = new pg.Client({
      connectionString: this.#options.url,
      connectionTimeoutMillis: connectMs,
      keepAlive: true,
      ...(limitMs === undefined ? {} : { query_timeout: limitMs }),
    });
    client.on("error", () => {});
    try {
      await client.connect();
    } catch (error) {
      throw this.#away(error);
    }
    return client;
  }

  async end(): Promise<void> {
    await this.#pool.end();
  }

  #statement(sql: string, values: unknown[]): pg.QueryConfig {
    if (!this.#options.prepare) return { text: sql, values };
    let name = this.#names.get(sql);
    if (name === undefined && this.#names.size < mostPrepared) {
      name = `bw_${hash("sha1", sql, "hex").slice(0, 24)}`;
      this.#names.set(sql, name);
    }
    return name === undefined ? { text: sql, values } : { name, text: sql, values };
  }

  async #using<T>(work: (client: pg.PoolClient) => Promise<T>): Promise<T> {
    const { totalCount, idleCount, waitingCount } = this.#pool;
    if (totalCount - idleCount + waitingCount >= this.#options.poolSize + this.#options.queueSize)
      throw new BusyError(`${this.name} is busy: too many requests wait for it`);
    // Whatever keeps a connection from being made, the database can't be used.
    const client = await this.#pool.connect().catch((error: Error) => {
      throw isFull(error) ? new BusyError(`${this.name} is busy: no connection came free`) : this.#away(error);
    });
    let broken: Error | undefined;
    const onError = (error: Error) => {
      broken = error;
    };
    // A connection that is lost between two statements tells it here, or ends the process.
    client.on("error", onError);
    try {
      return await work(client);
    } catch (error) {
      if (isBroken(error)) broken = error as Error;
      if (isTimeout(error)) cancel(client);
      throw isStopped(error)
        ? new BusyError(`${this.name} was too slow: ${(error as Error).message}`, { cause: error })
        : isBroken(error) || isUnavailable(error)
          ? this.#away(error)
          : error;
    } finally {
      client.off("error", onError);
      client.release(broken);
    }
  }

  #away(error: unknown): StoreError {
    return error instanceof StoreError
      ? error
      : new StoreError(`${this.name} is not available: ${(error as Error).message}`, { cause: error });
  }
}
