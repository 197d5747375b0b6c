// Quick statements on few connections, several on their way at once. With one at a time on each of many connections, the
// server and this process spend more time on changing between them than on the statements.
import type pg from "pg";
import { cancel } from "./cancel.ts";
import { isBroken, isUnanswered } from "./errors.ts";
import { ask, type PgRow } from "./statement.ts";

/** Statements on their way on one connection. */
const mostOnLine = 16;

/** When a statement takes longer than this, the next ones go another way. */
const slowMs = 5;

/** When the first in line has taken longer than this, those behind it are asked elsewhere too. */
const lateMs = 100;

/** A statement, and who waits for it. */
type Asked = {
  readonly statement: pg.QueryConfig;
  readonly resolve: (rows: PgRow[]) => void;
  readonly reject: (error: unknown) => void;
  /** Those on which it is under way. */
  readonly lines: Set<Line>;
};

/** A connection of the pool for as long as anything is on its way on it. */
type Line = {
  readonly client: Promise<pg.PoolClient>;
  /** Told when the connection is lost between two statements, which would else end the process. */
  readonly onError: (error: Error) => void;
  /** Why the connection can't be used any more. */
  broken: Error | undefined;
  /** Nothing more goes this way. */
  isLeft: boolean;
  /** In the order in which they are answered. */
  readonly waiting: Asked[];
  /** When the statement began that is first in line. */
  since: number;
  isWatched: boolean;
};

export class Lines {
  readonly #lines = new Set<Line>();
  readonly #most: number;
  readonly #limitMs: number;
  readonly #connect: () => Promise<pg.PoolClient>;
  readonly #ticks: () => number;

  /** `most` is the size of the pool that `connect` takes connections from; `limitMs` is for each answer. */
  constructor(most: number, limitMs: number, connect: () => Promise<pg.PoolClient>, ticks: () => number) {
    this.#most = most;
    this.#limitMs = limitMs;
    this.#connect = connect;
    this.#ticks = ticks;
  }

  /** Errors are those of the driver. */
  run(statement: pg.QueryConfig): Promise<PgRow[]> {
    return new Promise((resolve, reject) => {
      void this.#send(this.#choose(), { statement, resolve, reject, lines: new Set() });
    });
  }

  /** Gives up all that is on its way. */
  abandon(): void {
    for (const { client } of this.#lines) void client.then(end).catch(() => {});
  }

  async #send(line: Line, asked: Asked): Promise<void> {
    if (line.waiting.length === 0) line.since = this.#ticks();
    line.waiting.push(asked);
    asked.lines.add(line);
    this.#watch(line);
    let client: pg.PoolClient | undefined;
    try {
      client = await line.client;
      asked.resolve(await ask(client, asked.statement, this.#limitMs));
    } catch (error) {
      const isLost = client === undefined || isBroken(error);
      if (isLost) leave(line, error as Error);
      if (client !== undefined && isUnanswered(error)) {
        await cancel(client);
        // Those behind it would wait as long.
        void end(client).catch(() => {});
      }
      // What is lost here may still be answered elsewhere.
      if (!isLost || asked.lines.size === 1) asked.reject(error);
    } finally {
      asked.lines.delete(line);
      line.waiting.splice(line.waiting.indexOf(asked), 1);
      line.since = this.#ticks();
      if (line.waiting.length === 0) this.#end(line, client);
    }
  }

  #choose(): Line {
    const free = this.#free();
    if (free !== undefined) return free;
    const open = [...this.#lines].filter(({ isLeft }) => !isLeft);
    if (open.length === 0) return this.#open();
    const quick = open.filter((line) => this.#isMoving(line));
    return (quick.length > 0 ? quick : open).reduce((best, line) =>
      line.waiting.length < best.waiting.length ? line : best,
    );
  }

  /** A line on which nothing is waited for long; undefined when there is none, and no room for another. */
  #free(): Line | undefined {
    for (const line of this.#lines)
      if (!line.isLeft && line.waiting.length < mostOnLine && this.#isMoving(line)) return line;
    return this.#lines.size < this.#most ? this.#open() : undefined;
  }

  #isMoving({ since }: Line): boolean {
    return this.#ticks() - since < slowMs;
  }

  #open(): Line {
    const line: Line = {
      client: this.#connect().then((client) => {
        sendSeveral(client, true);
        return client.on("error", line.onError);
      }),
      onError: (error) => leave(line, error),
      broken: undefined,
      isLeft: false,
      waiting: [],
      since: this.#ticks(),
      isWatched: false,
    };
    this.#lines.add(line);
    return line;
  }

  /** Looks at a line after a while, if more than one statement is on it. */
  #watch(line: Line): void {
    if (line.isWatched || line.waiting.length < 2) return;
    line.isWatched = true;
    const left = lateMs - (this.#ticks() - line.since);
    // Answers that have come while this process was busy are taken first.
    setTimeout(() => setImmediate(() => this.#look(line)), left).unref();
  }

  #look(line: Line): void {
    line.isWatched = false;
    if (this.#ticks() - line.since < lateMs) {
      this.#watch(line);
      return;
    }
    leave(line);
    // Where there is no room they wait on. Reads may well be done twice.
    for (const asked of line.waiting.filter(isStuck)) {
      const other = this.#free();
      if (other === undefined) return;
      void this.#send(other, asked);
    }
  }

  #end(line: Line, client: pg.PoolClient | undefined): void {
    this.#lines.delete(line);
    if (client === undefined) return;
    sendSeveral(client, false);
    client.off("error", line.onError);
    client.release(line.broken);
  }
}

/** Whether others go before it on every line, and nothing is known of when they are done: it may have to wait for each. */
const isStuck = (asked: Asked): boolean =>
  [...asked.lines].every(({ isLeft, waiting }) => isLeft && waiting[0] !== asked);

/** Nothing more goes this way. */
function leave(line: Line, broken?: Error): void {
  line.broken ??= broken;
  line.isLeft = true;
}

/** Gives up all that is on its way on a connection. */
function end(client: pg.PoolClient): Promise<void> {
  // One that may send several statements would first wait for their answers.
  sendSeveral(client, false);
  return client.end();
}

/** A setting of the driver's connections that it looks at with each statement; bulk loads can't be sent with it. */
function sendSeveral(client: pg.PoolClient, pipeline: boolean): void {
  Object.assign(client, { pipeline });
}
