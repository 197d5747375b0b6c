// One PostgreSQL server: a bounded pool with a bounded queue. What means "not available" becomes a StoreError.
import { hash } from "node:crypto";
import pg from "pg";
import { StoreError } from "../store.ts";

export type DatabaseOptions = {
  readonly url: string;
  readonly poolSize: number;
  /** Requests that may wait for a connection; one more is refused at once. */
  readonly queueSize: number;
  readonly statementSeconds: number;
  /** Named statements save parsing; a pooler in transaction mode may not carry them. */
  readonly prepare: boolean;
};

export type PgRow = Record<string, unknown>;
export type Query = (sql: string, ...values: unknown[]) => Promise<PgRow[]>;

/** Shapes of statements that are prepared by name on a connection; those beyond are sent whole. */
const mostPrepared = 400;

export class Database {
  readonly name: string;
  readonly #pool: pg.Pool;
  readonly #options: DatabaseOptions;
  readonly #names = new Map<string, string>();

  constructor(options: DatabaseOptions) {
    this.#options = options;
    this.name = addressOf(options.url);
    this.#pool = new pg.Pool({
      connectionString: options.url,
      max: options.poolSize,
      connectionTimeoutMillis: 3000,
      idleTimeoutMillis: 60_000,
      statement_timeout: options.statementSeconds * 1000,
      // The server's own limit should strike first; this one is for a server that does not answer at all.
      query_timeout: options.statementSeconds * 1000 + 2000,
      keepAlive: true,
      allowExitOnIdle: true,
    });
    // A connection that breaks while idle is replaced on the next use.
    this.#pool.on("error", () => {});
  }

  /** One statement on any connection. Byte strings come as buffers, 64-bit integers as text. */
  async query(sql: string, ...values: unknown[]): Promise<PgRow[]> {
    return this.#reporting(async () => (await this.#pool.query(this.#statement(sql, values))).rows as PgRow[]);
  }

  /** All or nothing, on one connection. */
  async transaction<T>(work: (client: pg.PoolClient, query: Query) => Promise<T>): Promise<T> {
    return this.#reporting(async () => {
      const client = await this.#pool.connect();
      let broken: Error | undefined;
      try {
        await client.query("begin");
        const query: Query = async (sql, ...values) =>
          (await client.query(this.#statement(sql, values))).rows as PgRow[];
        const result = await work(client, query);
        await client.query("commit");
        return result;
      } catch (error) {
        // The rollback fails only with a broken connection, which is then thrown away.
        await client.query("rollback").catch((failed: Error) => {
          broken = failed;
        });
        throw error;
      } finally {
        client.release(broken);
      }
    });
  }

  /** A connection outside the pool, for listening. */
  async connect(): Promise<pg.Client> {
    const client = new pg.Client({
      connectionString: this.#options.url,
      connectionTimeoutMillis: 3000,
      keepAlive: true,
    });
    client.on("error", () => {});
    await client.connect();
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

  async #reporting<T>(work: () => Promise<T>): Promise<T> {
    if (this.#pool.waitingCount >= this.#options.queueSize)
      throw new StoreError(`${this.name} is busy: too many requests wait for it`);
    try {
      return await work();
    } catch (error) {
      throw isUnavailable(error)
        ? new StoreError(`${this.name} is not available: ${(error as Error).message}`, { cause: error })
        : error;
    }
  }
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

/**
 * Lost connections, a server that starts or stops, a standby that cannot write, too many connections, and a statement
 * that was stopped. Anything else is a fault of ours.
 */
function isUnavailable(error: unknown): boolean {
  const { code, message } = error as { code?: string; message?: string };
  if (error instanceof StoreError) return false;
  if (code !== undefined && /^(08|57P0|53|25006|57014|58030|XX000|3D000|28)/.test(code)) return true;
  if (code !== undefined && /^E[A-Z]+$/.test(code)) return true;
  return /connection|timeout|terminated|closed/i.test(message ?? "") && !/^\w{5}$/.test(code ?? "");
}
