// One server that can answer reads, the primary or a replica: its state kept fresh, its health and its position known.
import { type State, StoreError } from "../store.ts";
import type { Database, Query, Session } from "./database.ts";
import { channel, readState } from "./state.ts";

/** How often a server is looked at; a lost notification costs at most this. */
const pollMs = 400;

export type Position = { readonly at: number; readonly lsn: bigint; readonly isStandby: boolean };

const positionQuery = `select pg_is_in_recovery() as standby,
  ((case when pg_is_in_recovery() then pg_last_wal_replay_lsn() else pg_current_wal_lsn() end) - '0/0')::text as lsn`;

export class Target {
  readonly database: Database;
  /** Where the server was when it was last looked at; undefined while it is away. */
  position: Position | undefined;
  #state: State | undefined;
  #reading: Promise<State> | undefined;
  #again: Promise<State> | undefined;
  #timer: NodeJS.Timeout | undefined;
  readonly #channel: string | undefined;
  #session: Promise<Session> | undefined;
  #onAway: () => void = () => {};
  #closed = false;

  /** A standby can't be listened to. */
  constructor(database: Database, options: { listen: boolean }) {
    this.database = database;
    this.#channel = options.listen ? channel : undefined;
  }

  get isUp(): boolean {
    return this.position !== undefined;
  }

  /** The state as last seen; undefined when none has been seen since the server was away. */
  get known(): State | undefined {
    return this.#state;
  }

  /** Reads the state anew, from after the moment of the call. */
  refresh(): Promise<State> {
    if (this.#reading !== undefined) {
      // The read under way may have begun before the commit that the caller knows of.
      this.#again ??= this.#reading.catch(() => {}).then(() => this.refresh());
      return this.#again;
    }
    this.#again = undefined;
    this.#reading = readState(this.#query)
      .then((state) => {
        this.#state = state;
        return state;
      })
      .finally(() => {
        this.#reading = undefined;
      });
    return this.#reading;
  }

  /** The server did not answer: nothing known of it counts until it does. */
  lost(): void {
    this.#state = undefined;
    this.position = undefined;
  }

  /** Looks at the server at once and then at intervals; tells when it is found away. */
  watch(onAway: () => void): void {
    this.#onAway = onAway;
    const look = async () => {
      await this.look();
      if (!this.#closed) this.#timer = setTimeout(look, pollMs).unref();
    };
    void look();
  }

  /** Asks the server where it is, and what answers depend on. */
  async look(): Promise<void> {
    try {
      // Taken before the question: the server was at least here by then.
      const at = Date.now();
      const [row] = await this.#query(positionQuery);
      await this.refresh();
      this.position = { at, lsn: BigInt(String(row?.lsn)), isStandby: row?.standby === true };
    } catch (error) {
      this.lost();
      if (error instanceof StoreError && error.retry) this.#onAway();
    }
  }

  /** On a connection apart from the pool, so that a server that is only busy is not taken for a lost one. */
  readonly #query: Query = async (sql, ...values) => {
    if (this.#closed) throw new StoreError(`${this.database.name} is closed`);
    this.#session ??= this.#open();
    return (await this.#session).query(sql, ...values);
  };

  #open(): Promise<Session> {
    const forget = () => {
      if (this.#session === opening) this.#session = undefined;
    };
    const opening = this.database.session({
      limitMs: this.database.patienceMs,
      channel: this.#channel,
      onNotification: () => void this.refresh().catch(() => {}),
      // A server that stops ends its connections: the next look finds it away, or makes another one.
      onEnd: () => {
        forget();
        if (!this.#closed) void this.look();
      },
    });
    opening.catch(forget);
    return opening;
  }

  async close(): Promise<void> {
    this.#closed = true;
    clearTimeout(this.#timer);
    await this.#session?.then((session) => session.end()).catch(() => {});
    await this.database.end();
  }
}
