// One server that can answer reads, the primary or a replica: its state kept fresh, its health and its position known.
import { StoreError, type StoreState } from "../../store.ts";
import type { Database, Query, Session } from "../pool/pool.ts";
import { channel, readState } from "./node-state.ts";

/** How often a server is looked at; a lost notification costs at most this. */
const pollMs = 400;

/** A server that has not answered a look for so long may be away. */
const doubtMs = 2000;

export type Position = {
  readonly at: number;
  readonly lsn: bigint;
  readonly isStandby: boolean;
  /** Of a standby: when the last transaction that it has replayed was committed, by the clock of its primary. */
  readonly replayedAt: number | undefined;
};

const positionQuery = `select pg_is_in_recovery() as standby,
  extract(epoch from pg_last_xact_replay_timestamp()) * 1000 as replayed,
  ((case when pg_is_in_recovery() then pg_last_wal_replay_lsn() else pg_current_wal_lsn() end) - '0/0')::text as lsn`;

export class Target {
  readonly database: Database;
  /** Where the server was when it was last looked at; undefined while it is away. */
  position: Position | undefined;
  /** When the state was last known to be that of the server. */
  confirmedAt: number | undefined;
  /** Called with each position. */
  onPosition: (position: Position) => void = () => {};
  /** Whether a look takes so long that the server may be away. */
  #isLate = false;
  #state: StoreState | undefined;
  #reading: Promise<StoreState> | undefined;
  #again: Promise<StoreState> | undefined;
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

  /** Whether the state as last seen is what the server has, as far as can be known. */
  get isConfirmed(): boolean {
    return this.#state !== undefined && !this.#isLate;
  }

  /** The state as last seen; undefined when none has been seen since the server was away. */
  get known(): StoreState | undefined {
    return this.#state;
  }

  /** Reads the state anew, from after the moment of the call. */
  refresh(): Promise<StoreState> {
    if (this.#reading !== undefined) {
      // The read under way may have begun before the commit that the caller knows of.
      this.#again ??= this.#reading.catch(() => {}).then(() => this.refresh());
      return this.#again;
    }
    this.#again = undefined;
    const at = Date.now();
    this.#reading = readState(this.#query)
      .then((state) => {
        this.#state = state;
        this.#isLate = false;
        this.confirmedAt = at;
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
    const late = setTimeout(
      () => {
        this.#isLate = true;
      },
      Math.min(doubtMs, this.database.patienceMs / 2),
    ).unref();
    try {
      // Taken before the question: the server was at least here by then.
      const at = Date.now();
      const [row] = await this.#query(positionQuery);
      await this.refresh();
      const replayedAt = row?.replayed === null ? undefined : Number(row?.replayed);
      this.position = { at, lsn: BigInt(String(row?.lsn)), isStandby: row?.standby === true, replayedAt };
      this.onPosition(this.position);
    } catch (error) {
      this.lost();
      if (error instanceof StoreError && error.retry) this.#onAway();
    } finally {
      clearTimeout(late);
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
