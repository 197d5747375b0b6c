// Pipelines quick statements over few connections. One statement at a time on each of many connections would cost the
// server and this process more in context switches than the statements themselves.
import type pg from "pg";
import { cancelStatement } from "./cancel.ts";
import { isConnectionLost, isTimeout } from "./errors.ts";
import { type PgRow, runStatement } from "./statement.ts";

/** Statements in flight on one connection. */
const maxInFlight = 16;

/** While the oldest statement has taken longer than this, new ones use another connection. */
const slowMs = 5;

/** Once the oldest statement has taken longer than this, those behind it are also sent elsewhere. */
const stalledMs = 100;

type PendingStatement = {
  readonly statement: pg.QueryConfig;
  readonly resolve: (rows: PgRow[]) => void;
  readonly reject: (error: unknown) => void;
  /** Those that it was sent on. */
  readonly connections: Set<Connection>;
};

/** A connection of the pool, for as long as any statement is in flight on it. */
type Connection = {
  readonly client: Promise<pg.PoolClient>;
  /** A connection lost between two statements emits an error, which would otherwise end the process. */
  readonly onError: (error: Error) => void;
  /** Why the connection can't be reused. */
  broken: Error | undefined;
  /** Accepts no more statements. */
  isRetired: boolean;
  /** In the order of their responses. */
  readonly queue: PendingStatement[];
  /** When the oldest statement in the queue started. */
  since: number;
  isWatched: boolean;
};

export class Pipeline {
  readonly #connections = new Set<Connection>();
  readonly #maxConnections: number;
  readonly #timeoutMs: number;
  readonly #connect: () => Promise<pg.PoolClient>;
  readonly #clock: () => number;

  constructor(maxConnections: number, timeoutMs: number, connect: () => Promise<pg.PoolClient>, clock: () => number) {
    this.#maxConnections = maxConnections;
    this.#timeoutMs = timeoutMs;
    this.#connect = connect;
    this.#clock = clock;
  }

  /** Rejects with the driver's errors. */
  run(statement: pg.QueryConfig): Promise<PgRow[]> {
    return new Promise((resolve, reject) => {
      void this.#send(this.#choose(), { statement, resolve, reject, connections: new Set() });
    });
  }

  abort(): void {
    for (const { client } of this.#connections) void client.then(disconnect).catch(() => {});
  }

  async #send(connection: Connection, pending: PendingStatement): Promise<void> {
    if (connection.queue.length === 0) connection.since = this.#clock();
    connection.queue.push(pending);
    pending.connections.add(connection);
    this.#watch(connection);
    let client: pg.PoolClient | undefined;
    try {
      client = await connection.client;
      pending.resolve(await runStatement(client, pending.statement, this.#timeoutMs));
    } catch (error) {
      const isLost = client === undefined || isConnectionLost(error);
      if (isLost) retire(connection, error as Error);
      if (client !== undefined && isTimeout(error)) {
        await cancelStatement(client);
        // Those behind it would wait as long.
        void disconnect(client).catch(() => {});
      }
      // Another connection may still return its rows.
      if (!isLost || pending.connections.size === 1) pending.reject(error);
    } finally {
      pending.connections.delete(connection);
      connection.queue.splice(connection.queue.indexOf(pending), 1);
      connection.since = this.#clock();
      if (connection.queue.length === 0) this.#release(connection, client);
    }
  }

  #choose(): Connection {
    const available = this.#available();
    if (available !== undefined) return available;
    const open = [...this.#connections].filter(({ isRetired }) => !isRetired);
    if (open.length === 0) return this.#open();
    const quick = open.filter((connection) => this.#isQuick(connection));
    return (quick.length > 0 ? quick : open).reduce((best, connection) =>
      connection.queue.length < best.queue.length ? connection : best,
    );
  }

  /** A connection with a short wait, opened if need be; undefined if the pool has no more. */
  #available(): Connection | undefined {
    for (const connection of this.#connections)
      if (!connection.isRetired && connection.queue.length < maxInFlight && this.#isQuick(connection))
        return connection;
    return this.#connections.size < this.#maxConnections ? this.#open() : undefined;
  }

  #isQuick({ since }: Connection): boolean {
    return this.#clock() - since < slowMs;
  }

  #open(): Connection {
    const connection: Connection = {
      client: this.#connect().then((client) => {
        setPipelining(client, true);
        return client.on("error", connection.onError);
      }),
      onError: (error) => retire(connection, error),
      broken: undefined,
      isRetired: false,
      queue: [],
      since: this.#clock(),
      isWatched: false,
    };
    this.#connections.add(connection);
    return connection;
  }

  /** Schedules a check for a stall, if other statements wait behind the oldest. */
  #watch(connection: Connection): void {
    if (connection.isWatched || connection.queue.length < 2) return;
    connection.isWatched = true;
    const left = stalledMs - (this.#clock() - connection.since);
    // Responses that arrived while the event loop was blocked are processed first.
    setTimeout(() => setImmediate(() => this.#checkStall(connection)), left).unref();
  }

  #checkStall(connection: Connection): void {
    connection.isWatched = false;
    if (this.#clock() - connection.since < stalledMs) {
      this.#watch(connection);
      return;
    }
    retire(connection);
    // They are reads, so running them twice is harmless. If no connection is available, they keep waiting.
    for (const pending of connection.queue.filter(isStuck)) {
      const other = this.#available();
      if (other === undefined) return;
      void this.#send(other, pending);
    }
  }

  #release(connection: Connection, client: pg.PoolClient | undefined): void {
    this.#connections.delete(connection);
    if (client === undefined) return;
    setPipelining(client, false);
    client.off("error", connection.onError);
    client.release(connection.broken);
  }
}

/** Whether it waits behind a stalled statement on each of its connections. */
const isStuck = (pending: PendingStatement): boolean =>
  [...pending.connections].every(({ isRetired, queue }) => isRetired && queue[0] !== pending);

function retire(connection: Connection, broken?: Error): void {
  connection.broken ??= broken;
  connection.isRetired = true;
}

function disconnect(client: pg.PoolClient): Promise<void> {
  // A pipelining client would first wait for outstanding responses.
  setPipelining(client, false);
  return client.end();
}

/** The driver reads this setting for each statement; it doesn't support COPY. */
function setPipelining(client: pg.PoolClient, pipeline: boolean): void {
  Object.assign(client, { pipeline });
}
