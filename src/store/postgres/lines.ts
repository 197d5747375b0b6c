// Quick statements on few connections, several on their way at once. With one at a time on each of many connections, the
// server and this process spend more time on changing between them than on the statements.
import type pg from "pg";
import { cancel } from "./cancel.ts";
import type { PgRow } from "./database.ts";
import { isBroken, isUnanswered } from "./errors.ts";

/** Statements on their way on one connection. */
const mostOnLine = 16;

/** When a statement takes longer than this, the next ones go another way. */
const slowMs = 5;

/** A connection of the pool for as long as anything is on its way on it. */
type Line = {
  readonly client: Promise<pg.PoolClient>;
  /** Told when the connection is lost between two statements, which would else end the process. */
  readonly onError: (error: Error) => void;
  /** Why the connection can't be used any more. */
  broken: Error | undefined;
  pending: number;
  /** When the statement began that is first in line. */
  since: number;
};

export class Lines {
  readonly #lines: Line[] = [];
  readonly #most: number;
  readonly #connect: () => Promise<pg.PoolClient>;

  /** `most` is the size of the pool that `connect` takes connections from. */
  constructor(most: number, connect: () => Promise<pg.PoolClient>) {
    this.#most = most;
    this.#connect = connect;
  }

  /** Errors are those of the driver. */
  async run(statement: pg.QueryConfig): Promise<PgRow[]> {
    const line = this.#choose();
    if (line.pending === 0) line.since = performance.now();
    line.pending++;
    let client: pg.PoolClient | undefined;
    try {
      client = await line.client;
      return (await client.query(statement)).rows as PgRow[];
    } catch (error) {
      if (client === undefined || isBroken(error)) this.#leave(line, error as Error);
      if (client !== undefined && isUnanswered(error)) await cancel(client);
      throw error;
    } finally {
      line.pending--;
      line.since = performance.now();
      if (line.pending === 0) this.#end(line, client);
    }
  }

  /** Gives up all that is on its way. */
  abandon(): void {
    const end = (client: pg.PoolClient) => {
      // One that may send several statements would first wait for their answers.
      sendSeveral(client, false);
      return client.end();
    };
    for (const { client } of this.#lines) void client.then(end).catch(() => {});
  }

  #choose(): Line {
    const now = performance.now();
    const quick = this.#lines.filter(({ since }) => now - since < slowMs);
    const free = quick.find(({ pending }) => pending < mostOnLine);
    if (free !== undefined) return free;
    if (this.#lines.length >= this.#most)
      return (quick.length > 0 ? quick : this.#lines).reduce((best, line) =>
        line.pending < best.pending ? line : best,
      );
    return this.#open(now);
  }

  #open(now: number): Line {
    const line: Line = {
      client: this.#connect().then((client) => {
        sendSeveral(client, true);
        return client.on("error", line.onError);
      }),
      onError: (error) => this.#leave(line, error),
      broken: undefined,
      pending: 0,
      since: now,
    };
    this.#lines.push(line);
    return line;
  }

  #end(line: Line, client: pg.PoolClient | undefined): void {
    this.#leave(line);
    if (client === undefined) return;
    sendSeveral(client, false);
    client.off("error", line.onError);
    client.release(line.broken);
  }

  /** Nothing more goes this way. */
  #leave(line: Line, broken?: Error): void {
    line.broken ??= broken;
    const place = this.#lines.indexOf(line);
    if (place !== -1) this.#lines.splice(place, 1);
  }
}

/** A setting of the driver's connections that it looks at with each statement; bulk loads can't be sent with it. */
function sendSeveral(client: pg.PoolClient, pipeline: boolean): void {
  Object.assign(client, { pipeline });
}
