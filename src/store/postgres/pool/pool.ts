// One PostgreSQL server: a bounded pool with a bounded queue. What means "not available" becomes a StoreError.
import { hash } from "node:crypto";
import pg from "pg";
import type { Compiled } from "../../sql/dialect.ts";
import { BusyError, StoreError } from "../../store.ts";
import { cancel } from "./cancel.ts";
import { Client, limitEach } from "./client.ts";
import { codeOf, isBroken, isFull, isSessionless, isUnanswered, isUnavailable, readOnly, stoppedBy } from "./errors.ts";
import { Lines } from "./pipeline.ts";
import { ask, type PgRow } from "./statement.ts";

export type DatabaseOptions = {
  readonly url: string;
  readonly poolSize: number;
  /** Requests that may wait for a connection; one more is refused at once. */
  readonly queueSize: number;
  readonly statementSeconds: number;
  /** Whether a connection is a session. Behind a pooler in transaction mode nothing of it lasts: no named statements. */
  readonly prepare: boolean;
  /** Milliseconds, by which slow statements are noticed; a test may pass its own clock. */
  readonly ticks?: () => number;
};

export type Query = (sql: string, ...values: unknown[]) => Promise<PgRow[]>;

export type SessionOptions = {
  /** For each statement. */
  readonly limitMs?: number;
  /** Listened to where that works; notifications may be lost in any case. */
  readonly channel?: string | undefined;
  readonly onNotification?: () => void;
  readonly onEnd?: () => void;
};
export type Session = { readonly query: Query; end(): Promise<void> };

/** Shapes of statements that are prepared by name on a connection; those beyond are sent whole. */
const mostPrepared = 400;

/** To make a connection, to wait for one of the pool, or for a server to say where it is. */
const defaultPatienceMs = 3000;

/**
 * A statement is planned once, not for every value: planning takes longer than most statements. Statements are written
 * so that one way is good for all values; where only the data can tell, the store looks and writes another statement.
 * Nor are statements compiled to machine code: that is done anew for each, and takes longer than any of them.
 */
const onePlan = "-c plan_cache_mode=force_generic_plan -c jit=off";

export class Database {
  readonly name: string;
  /** How long a server may keep silent before it counts as away. */
  readonly patienceMs: number;
  readonly #pool: pg.Pool;
  readonly #options: DatabaseOptions;
  readonly #names = new Map<string, string>();
  readonly #lines: Lines;
  /** For the answer to a statement. */
  readonly #limitMs: number;
  /** Connections on which a single statement is under way. */
  readonly #reading = new Set<pg.PoolClient>();
  /** Statements of requests, under way or waiting for a connection. */
  #asked = 0;
  #isSilent = false;

  constructor(options: DatabaseOptions) {
    this.#options = options;
    this.name = addressOf(options.url);
    this.patienceMs = patienceOf(options.url);
    const limitMs = options.statementSeconds * 1000;
    // The server's own limit strikes first; ours is for a server that does not answer at all.
    this.#limitMs = options.prepare ? limitMs + 2000 : limitMs;
    this.#pool = new pg.Pool({
      connectionString: options.url,
      max: options.poolSize,
      connectionTimeoutMillis: this.patienceMs,
      idleTimeoutMillis: 60_000,
      // A pooler refuses connections that ask for a limit.
      ...(options.prepare ? { statement_timeout: limitMs, options: onePlan } : {}),
      keepAlive: true,
      allowExitOnIdle: true,
      Client,
    });
    // A connection that breaks while idle is replaced on the next use.
    this.#pool.on("error", () => {});
    const ticks = options.ticks ?? (() => performance.now());
    this.#lines = new Lines(options.poolSize, this.#limitMs, () => this.#connect(), ticks);
  }

  /**
   * One statement of a request, refused when too many wait. Byte strings come as buffers, 64-bit integers as text.
   */
  query(sql: string, ...values: unknown[]): Promise<PgRow[]> {
    return this.#asking(() => this.keep(sql, ...values));
  }

  /** The same for a statement that is known to be quick, and may share a connection with others such. */
  queryQuickly(asking: Compiled): Promise<PgRow[]> {
    // What a pooler in transaction mode makes of several statements at once is its own affair.
    if (!this.#options.prepare) return this.query(asking.sql, ...asking.parameters);
    return this.#asking(() => this.#onLine(asking));
  }

  async #onLine({ sql, parameters }: Compiled): Promise<PgRow[]> {
    try {
      const rows = await this.#lines.run(this.#statement(sql, parameters));
      this.#isSilent = false;
      return rows;
    } catch (error) {
      throw this.#translated(error);
    }
  }

  async #asking(run: () => Promise<PgRow[]>): Promise<PgRow[]> {
    if (this.#asked >= this.#options.poolSize + this.#options.queueSize)
      throw new BusyError(`${this.name} is busy: too many requests wait for it`);
    this.#asked++;
    try {
      return await run();
    } finally {
      this.#asked--;
    }
  }

  /** One statement of the server's own housekeeping: it waits its turn, and no request is refused for it. */
  keep(sql: string, ...values: unknown[]): Promise<PgRow[]> {
    return this.#using(async (client) => {
      this.#reading.add(client);
      try {
        return await ask(client, this.#statement(sql, values), this.#limitMs);
      } finally {
        this.#reading.delete(client);
      }
    });
  }

  /** The server has fallen silent: what it is asked is given up, so that another one may be asked. */
  abandon(): void {
    this.#isSilent = true;
    for (const client of this.#reading) void client.end().catch(() => {});
    this.#lines.abandon();
  }

  /** All or nothing, on one connection. */
  async transaction<T>(work: (client: pg.PoolClient, query: Query) => Promise<T>): Promise<T> {
    return this.#using(async (client, discard) => {
      // Bulk loads are the driver's own affair, and so is their limit.
      limitEach(client, this.#limitMs);
      await client.query("begin");
      try {
        const query: Query = async (sql, ...values) =>
          (await client.query(this.#statement(sql, values))).rows as PgRow[];
        const result = await work(client, query);
        await client.query("commit");
        return result;
      } catch (error) {
        // A connection that can't even do this is thrown away, and the transaction with it.
        if (!isBroken(error)) await client.query("rollback").catch(discard);
        throw error;
      } finally {
        limitEach(client, 0);
      }
    });
  }

  /** A connection of its own, outside the pool. */
  async session({ limitMs, channel, onNotification, onEnd }: SessionOptions): Promise<Session> {
    const client = new Client({
      connectionString: this.#options.url,
      connectionTimeoutMillis: this.patienceMs,
      keepAlive: true,
      ...(limitMs === undefined ? {} : { query_timeout: limitMs }),
    });
    client.on("error", () => {});
    const query: Query = async (sql, ...values) => {
      try {
        return (await client.query(sql, values)).rows as PgRow[];
      } catch (error) {
        if (isBroken(error)) void client.end().catch(() => {});
        throw this.#translated(error);
      }
    };
    await client.connect().catch((error: Error) => {
      throw isFull(error) ? new BusyError(`${this.name} is busy: it has no connection to give`) : this.#away(error);
    });
    if (onNotification !== undefined) client.on("notification", onNotification);
    if (onEnd !== undefined) client.once("end", onEnd);
    // A standby can't be listened to; a pooler in transaction mode would leave it to some other client's session.
    if (channel !== undefined && this.#options.prepare) await query(`listen ${channel}`).catch(() => {});
    return { query, end: () => client.end() };
  }

  get load(): { readonly used: number; readonly idle: number; readonly waiting: number } {
    const { totalCount, idleCount, waitingCount } = this.#pool;
    return { used: totalCount - idleCount, idle: idleCount, waiting: waitingCount };
  }

  async end(): Promise<void> {
    await this.#pool.end();
  }

  #statement(sql: string, given: readonly unknown[]): pg.QueryConfig {
    const values = given as unknown[];
    if (!this.#options.prepare) return { text: sql, values };
    let name = this.#names.get(sql);
    if (name === undefined && this.#names.size < mostPrepared) {
      name = `bw_${hash("sha1", sql, "hex").slice(0, 24)}`;
      this.#names.set(sql, name);
    }
    return name === undefined ? { text: sql, values } : { name, text: sql, values };
  }

  async #using<T>(work: (client: pg.PoolClient, discard: (error: Error) => void) => Promise<T>): Promise<T> {
    const client = await this.#connect();
    let broken: Error | undefined;
    const discard = (error: Error) => {
      broken = error;
    };
    // A connection that is lost between two statements tells it here, or ends the process.
    client.on("error", discard);
    try {
      const result = await work(client, discard);
      this.#isSilent = false;
      return result;
    } catch (error) {
      if (isBroken(error)) discard(error as Error);
      if (isUnanswered(error)) await cancel(client);
      throw this.#translated(error);
    } finally {
      client.off("error", discard);
      client.release(broken);
    }
  }

  /** Whatever keeps a connection from being made, the database can't be used. */
  async #connect(): Promise<pg.PoolClient> {
    try {
      return await this.#pool.connect();
    } catch (error) {
      const busy = isFull(error) && !this.#isSilent;
      throw busy ? new BusyError(`${this.name} is busy: no connection came free`) : this.#away(error);
    }
  }

  #translated(error: unknown): unknown {
    const stopped = stoppedBy(this.name, error);
    if (stopped !== undefined) return stopped;
    return isBroken(error) || isUnavailable(error) || isSessionless(error) ? this.#away(error) : error;
  }

  #away(error: unknown): StoreError {
    const words = isSessionless(error)
      ? "is behind a pooler that keeps no sessions: set BELLWIRE_PREPARE_STATEMENTS=false"
      : codeOf(error) === readOnly
        ? "is a standby, which can only be read"
        : `is not available: ${(error as Error).message}`;
    return new StoreError(`${this.name} ${words}`, { cause: error });
  }
}

/** `connect_timeout` in the address, in seconds, as PostgreSQL's own programs take it. */
function patienceOf(url: string): number {
  const seconds = URL.canParse(url) ? Number(new URL(url).searchParams.get("connect_timeout")) : 0;
  return seconds > 0 ? seconds * 1000 : defaultPatienceMs;
}

/** Where a server is, without its password. */
export function addressOf(url: string): string {
  try {
    const { hostname, port, pathname } = new URL(url);
    return `postgres://${hostname}${port === "" ? "" : `:${port}`}${pathname}`;
  } catch {
    return "postgres";
  }
}
