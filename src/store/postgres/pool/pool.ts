// Connections to one PostgreSQL server: a bounded pool with a bounded queue. Reports outages as StoreError.
import { hash } from "node:crypto";
import pg from "pg";
import type { Compiled } from "../../sql/dialect.ts";
import { BusyError, StoreError } from "../../store.ts";
import { cancelStatement } from "./cancel.ts";
import { Client, setQueryTimeout } from "./client.ts";
import {
  isConnectionLost,
  isOutOfConnections,
  isSessionMissing,
  isTimeout,
  isUnavailable,
  readOnlyTransaction,
  sqlState,
  statementError,
} from "./errors.ts";
import { Pipeline } from "./pipeline.ts";
import { type PgRow, runStatement } from "./statement.ts";

export type PoolOptions = {
  readonly url: string;
  readonly poolSize: number;
  /** Requests that may wait for a connection; any more are rejected at once. */
  readonly queueSize: number;
  readonly statementSeconds: number;
  /** Whether to prepare statements and set session parameters. False behind a pooler in transaction mode. */
  readonly prepare: boolean;
  /** Monotonic milliseconds, for detecting slow statements; tests pass their own. */
  readonly clock?: () => number;
};

export type Query = (sql: string, ...values: unknown[]) => Promise<PgRow[]>;

type SessionOptions = {
  /** For each statement. */
  readonly timeoutMs?: number;
  /** For LISTEN, if the server supports it; notifications may be lost in any case. */
  readonly channel?: string | undefined;
  readonly onNotification?: () => void;
  readonly onEnd?: () => void;
};
export type Session = { readonly query: Query; end(): Promise<void> };

/** Distinct statements to prepare; any more are sent unprepared. */
const maxPrepared = 400;

const defaultConnectTimeoutMs = 3000;

/**
 * Plans each prepared statement once rather than per execution, since planning takes longer than most statements run.
 * Statements are written to suit all values; where that depends on the data, our planner chooses between statements.
 * JIT compilation, which isn't cached, would also take longer than any of them.
 */
const sessionParameters = "-c plan_cache_mode=force_generic_plan -c jit=off";

export class ConnectionPool {
  /** The server's URL without credentials, for messages and metrics. */
  readonly name: string;
  /** For connecting, waiting for a connection of the pool, and health probes. */
  readonly connectTimeoutMs: number;
  readonly #pool: pg.Pool;
  readonly #options: PoolOptions;
  readonly #preparedNames = new Map<string, string>();
  readonly #pipeline: Pipeline;
  readonly #timeoutMs: number;
  /** Clients that are running a single statement. */
  readonly #busy = new Set<pg.PoolClient>();
  /** Statements of requests, running or waiting for a connection. */
  #inFlight = 0;
  #isUnresponsive = false;

  constructor(options: PoolOptions) {
    this.#options = options;
    this.name = redactedUrl(options.url);
    this.connectTimeoutMs = connectTimeoutOf(options.url);
    const statementMs = options.statementSeconds * 1000;
    // Longer than the server's own timeout, to detect a server that doesn't respond at all.
    this.#timeoutMs = options.prepare ? statementMs + 2000 : statementMs;
    this.#pool = new pg.Pool({
      connectionString: options.url,
      max: options.poolSize,
      connectionTimeoutMillis: this.connectTimeoutMs,
      idleTimeoutMillis: 60_000,
      // A pooler rejects connections with these parameters.
      ...(options.prepare ? { statement_timeout: statementMs, options: sessionParameters } : {}),
      keepAlive: true,
      allowExitOnIdle: true,
      Client,
    });
    // The pool replaces a connection that breaks while idle.
    this.#pool.on("error", () => {});
    const clock = options.clock ?? (() => performance.now());
    this.#pipeline = new Pipeline(options.poolSize, this.#timeoutMs, () => this.#connect(), clock);
  }

  /** Runs a statement of a request; rejects if too many are waiting. Returns bytea as Buffer and bigint as string. */
  query(sql: string, ...values: unknown[]): Promise<PgRow[]> {
    return this.#admit(() => this.queryInBackground(sql, ...values));
  }

  /** Like `query`, for a statement that is known to be quick and may share a connection. */
  queryPipelined({ sql, parameters }: Compiled): Promise<PgRow[]> {
    // Poolers in transaction mode may not support pipelining.
    if (!this.#options.prepare) return this.query(sql, ...parameters);
    return this.#admit(async () => {
      try {
        const rows = await this.#pipeline.run(this.#statement(sql, parameters));
        this.#isUnresponsive = false;
        return rows;
      } catch (error) {
        throw this.#toStoreError(error);
      }
    });
  }

  async #admit(run: () => Promise<PgRow[]>): Promise<PgRow[]> {
    if (this.#inFlight >= this.#options.poolSize + this.#options.queueSize)
      throw new BusyError(`${this.name} is busy: too many requests are waiting for a connection`);
    this.#inFlight++;
    try {
      return await run();
    } finally {
      this.#inFlight--;
    }
  }

  /** Runs a housekeeping statement, which doesn't count toward the limit on waiting requests. */
  queryInBackground(sql: string, ...values: unknown[]): Promise<PgRow[]> {
    return this.#withClient(async (client) => {
      this.#busy.add(client);
      try {
        return await runStatement(client, this.#statement(sql, values), this.#timeoutMs);
      } finally {
        this.#busy.delete(client);
      }
    });
  }

  /** The server has stopped responding: fails its reads, so that they can be retried on another one. */
  abortInFlight(): void {
    this.#isUnresponsive = true;
    for (const client of this.#busy) void client.end().catch(() => {});
    this.#pipeline.abort();
  }

  async transaction<T>(work: (client: pg.PoolClient, query: Query) => Promise<T>): Promise<T> {
    return this.#withClient(async (client, discard) => {
      // COPY runs in the driver, and so does its timeout.
      setQueryTimeout(client, this.#timeoutMs);
      await client.query("begin");
      try {
        const query: Query = async (sql, ...values) =>
          (await client.query(this.#statement(sql, values))).rows as PgRow[];
        const result = await work(client, query);
        await client.query("commit");
        return result;
      } catch (error) {
        // Discarding the connection ends the transaction too.
        if (!isConnectionLost(error)) await client.query("rollback").catch(discard);
        throw error;
      } finally {
        setQueryTimeout(client, 0);
      }
    });
  }

  /** A dedicated connection, outside the pool. */
  async session({ timeoutMs: limitMs, channel, onNotification, onEnd }: SessionOptions): Promise<Session> {
    const client = new Client({
      connectionString: this.#options.url,
      connectionTimeoutMillis: this.connectTimeoutMs,
      keepAlive: true,
    });
    client.on("error", () => {});
    const query: Query = async (sql, ...values) => {
      try {
        if (limitMs !== undefined) return await runStatement(client, { text: sql, values }, limitMs);
        return (await client.query(sql, values)).rows as PgRow[];
      } catch (error) {
        if (isConnectionLost(error)) void client.end().catch(() => {});
        throw this.#toStoreError(error);
      }
    };
    await client.connect().catch((error: Error) => {
      throw isOutOfConnections(error)
        ? new BusyError(`${this.name} is busy: it accepts no more connections`)
        : this.#unavailable(error);
    });
    if (onNotification !== undefined) client.on("notification", onNotification);
    if (onEnd !== undefined) client.once("end", onEnd);
    // A standby doesn't support LISTEN; a pooler in transaction mode might run it in another client's session.
    if (channel !== undefined && this.#options.prepare) await query(`listen ${channel}`).catch(() => {});
    return { query, end: () => client.end() };
  }

  get connectionCounts(): { readonly used: number; readonly idle: number; readonly waiting: number } {
    const { totalCount, idleCount, waitingCount } = this.#pool;
    return { used: totalCount - idleCount, idle: idleCount, waiting: waitingCount };
  }

  async end(): Promise<void> {
    await this.#pool.end();
  }

  #statement(sql: string, parameters: readonly unknown[]): pg.QueryConfig {
    const values = parameters as unknown[];
    if (!this.#options.prepare) return { text: sql, values };
    let name = this.#preparedNames.get(sql);
    if (name === undefined && this.#preparedNames.size < maxPrepared) {
      name = `bw_${hash("sha1", sql, "hex").slice(0, 24)}`;
      this.#preparedNames.set(sql, name);
    }
    return name === undefined ? { text: sql, values } : { name, text: sql, values };
  }

  async #withClient<T>(work: (client: pg.PoolClient, discard: (error: Error) => void) => Promise<T>): Promise<T> {
    const client = await this.#connect();
    let broken: Error | undefined;
    const discard = (error: Error) => {
      broken = error;
    };
    // A connection lost between two statements emits an error, which would otherwise end the process.
    client.on("error", discard);
    try {
      const result = await work(client, discard);
      this.#isUnresponsive = false;
      return result;
    } catch (error) {
      if (isConnectionLost(error)) discard(error as Error);
      if (isTimeout(error)) await cancelStatement(client);
      throw this.#toStoreError(error);
    } finally {
      client.off("error", discard);
      client.release(broken);
    }
  }

  async #connect(): Promise<pg.PoolClient> {
    try {
      return await this.#pool.connect();
    } catch (error) {
      const busy = isOutOfConnections(error) && !this.#isUnresponsive;
      throw busy ? new BusyError(`${this.name} is busy: no connection became available`) : this.#unavailable(error);
    }
  }

  #toStoreError(error: unknown): unknown {
    const stopped = statementError(this.name, error);
    if (stopped !== undefined) return stopped;
    return isConnectionLost(error) || isUnavailable(error) || isSessionMissing(error)
      ? this.#unavailable(error)
      : error;
  }

  #unavailable(error: unknown): StoreError {
    const reason = isSessionMissing(error)
      ? "is behind a pooler without sessions: set BELLWIRE_PREPARE_STATEMENTS=false"
      : sqlState(error) === readOnlyTransaction
        ? "is a read-only standby"
        : `is not available: ${(error as Error).message}`;
    return new StoreError(`${this.name} ${reason}`, { cause: error });
  }
}

/** libpq's `connect_timeout`, in seconds. */
function connectTimeoutOf(url: string): number {
  const seconds = URL.canParse(url) ? Number(new URL(url).searchParams.get("connect_timeout")) : 0;
  return seconds > 0 ? seconds * 1000 : defaultConnectTimeoutMs;
}

/** A connection URL without credentials and parameters. */
export function redactedUrl(url: string): string {
  try {
    const { hostname, port, pathname } = new URL(url);
    return `postgres://${hostname}${port === "" ? "" : `:${port}`}${pathname}`;
  } catch {
    return "postgres";
  }
}
