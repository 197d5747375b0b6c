// One database server, the primary or a replica: tracks its state, health, and replication position.
import { StoreError, type StoreState } from "../../store.ts";
import type { ConnectionPool, Query, Session } from "../pool/pool.ts";
import { channel, readState } from "./node-state.ts";

/** Probe interval, and thus the maximum delay after a lost notification. */
const probeIntervalMs = 400;

/** A probe that takes longer than this puts the state in doubt, unless a test sets another time. */
const defaultLateMs = 2000;

export type Position = {
  readonly at: number;
  readonly lsn: bigint;
  readonly isStandby: boolean;
  /** On a standby: commit time of the last replayed transaction, by the primary's clock. */
  readonly replayedAt: number | undefined;
};

const positionQuery = `select pg_is_in_recovery() as standby,
  extract(epoch from pg_last_xact_replay_timestamp()) * 1000 as replayed,
  ((case when pg_is_in_recovery() then pg_last_wal_replay_lsn() else pg_current_wal_lsn() end) - '0/0')::text as lsn`;

export class Node {
  readonly pool: ConnectionPool;
  /** As of the last probe; undefined while the server is down. */
  position: Position | undefined;
  /** When the state was last known to be current. */
  confirmedAt: number | undefined;
  onPosition: (position: Position) => void = () => {};
  /** Whether the current probe is taking suspiciously long. */
  #isLate = false;
  #state: StoreState | undefined;
  #refreshing: Promise<StoreState> | undefined;
  #nextRefresh: Promise<StoreState> | undefined;
  #timer: NodeJS.Timeout | undefined;
  readonly #channel: string | undefined;
  readonly #lateMs: number;
  #session: Promise<Session> | undefined;
  #onDown: () => void = () => {};
  #closed = false;

  /** A standby doesn't support LISTEN. */
  constructor(pool: ConnectionPool, { listen, lateMs = defaultLateMs }: { listen: boolean; lateMs?: number }) {
    this.pool = pool;
    this.#channel = listen ? channel : undefined;
    this.#lateMs = Math.min(lateMs, pool.connectTimeoutMs / 2);
  }

  get isUp(): boolean {
    return this.position !== undefined;
  }

  /** Whether the state is current, as far as known. */
  get isConfirmed(): boolean {
    return this.#state !== undefined && !this.#isLate;
  }

  /** The last state read; undefined while the server is down. */
  get state(): StoreState | undefined {
    return this.#state;
  }

  /** Reads the state, as of the call or later. */
  refresh(): Promise<StoreState> {
    if (this.#refreshing !== undefined) {
      // The read in flight may have started before the commit that the caller knows of.
      this.#nextRefresh ??= this.#refreshing.catch(() => {}).then(() => this.refresh());
      return this.#nextRefresh;
    }
    this.#nextRefresh = undefined;
    const at = Date.now();
    this.#refreshing = readState(this.#query)
      .then((state) => {
        this.#state = state;
        this.#isLate = false;
        this.confirmedAt = at;
        return state;
      })
      .finally(() => {
        this.#refreshing = undefined;
      });
    return this.#refreshing;
  }

  markDown(): void {
    this.#state = undefined;
    this.position = undefined;
  }

  /** Probes the server now and then at intervals; `onDown` is called after each probe that finds it down. */
  startProbing(onDown: () => void): void {
    this.#onDown = onDown;
    const probe = async () => {
      await this.probe();
      if (!this.#closed) this.#timer = setTimeout(probe, probeIntervalMs).unref();
    };
    void probe();
  }

  /** Reads the server's position and state. */
  async probe(): Promise<void> {
    const late = setTimeout(() => {
      this.#isLate = true;
    }, this.#lateMs).unref();
    try {
      // Taken before the query: the server has reached at least this position by then.
      const at = Date.now();
      const [row] = await this.#query(positionQuery);
      await this.refresh();
      const replayedAt = row?.replayed === null ? undefined : Number(row?.replayed);
      this.position = { at, lsn: BigInt(String(row?.lsn)), isStandby: row?.standby === true, replayedAt };
      this.onPosition(this.position);
    } catch (error) {
      this.markDown();
      if (error instanceof StoreError && error.retry) this.#onDown();
    } finally {
      clearTimeout(late);
    }
  }

  /** Over a dedicated connection, so that an exhausted pool doesn't look like an outage. */
  readonly #query: Query = async (sql, ...values) => {
    if (this.#closed) throw new StoreError(`${this.pool.name} is closed`);
    this.#session ??= this.#open();
    return (await this.#session).query(sql, ...values);
  };

  #open(): Promise<Session> {
    const reset = () => {
      if (this.#session === opening) this.#session = undefined;
    };
    const opening = this.pool.session({
      timeoutMs: this.pool.connectTimeoutMs,
      channel: this.#channel,
      onNotification: () => void this.refresh().catch(() => {}),
      // A server that stops closes its connections: the next probe finds it down, or reconnects.
      onEnd: () => {
        reset();
        if (!this.#closed) void this.probe();
      },
    });
    opening.catch(reset);
    return opening;
  }

  async close(): Promise<void> {
    this.#closed = true;
    clearTimeout(this.#timer);
    await this.#session?.then((session) => session.end()).catch(() => {});
    await this.pool.end();
  }
}
