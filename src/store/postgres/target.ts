// One server that can answer reads, the primary or a replica: its state kept fresh, its health and its position known.
import { type State, StoreError } from "../store.ts";
import type { Database } from "./database.ts";
import { channel, readState } from "./state.ts";

/** How often a server is looked at; a lost notification costs at most this. */
const pollMs = 400;

export type Position = { readonly at: number; readonly lsn: bigint };

const positionQuery = `select ((case when pg_is_in_recovery() then pg_last_wal_replay_lsn() else pg_current_wal_lsn() end)
  - '0/0')::text as lsn`;

export class Target {
  readonly database: Database;
  /** Where the server was when it was last looked at; undefined while it is away. */
  position: Position | undefined;
  #state: State | undefined;
  #reading: Promise<State> | undefined;
  #again: Promise<State> | undefined;
  #timer: NodeJS.Timeout | undefined;
  #stopListening: () => void = () => {};
  #closed = false;

  constructor(database: Database) {
    this.database = database;
  }

  get isUp(): boolean {
    return this.position !== undefined;
  }

  /** The state as last seen; read now when none has been seen since the server was away. */
  async state(): Promise<State> {
    return this.#state ?? this.refresh();
  }

  /** Reads the state anew, from after the moment of the call. */
  refresh(): Promise<State> {
    if (this.#reading !== undefined) {
      // The read under way may have begun before the commit that the caller knows of.
      this.#again ??= this.#reading.catch(() => {}).then(() => this.refresh());
      return this.#again;
    }
    this.#again = undefined;
    this.#reading = readState((sql, ...values) => this.database.query(sql, ...values))
      .then((state) => {
        this.#state = state;
        return state;
      })
      .catch((error: Error) => {
        if (error instanceof StoreError) this.lost();
        throw error;
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

  /** Looks at the server at once and then at intervals; listens where it can be listened to. */
  watch(options: { listen: boolean }): void {
    const look = async () => {
      await this.look();
      if (!this.#closed) this.#timer = setTimeout(look, pollMs).unref();
    };
    void look();
    if (options.listen) void this.#listen();
  }

  /** Asks the server where it is, and what answers depend on. */
  async look(): Promise<void> {
    try {
      // Taken before the question: the server was at least here by then.
      const at = Date.now();
      const [row] = await this.database.query(positionQuery);
      await this.refresh();
      this.position = { at, lsn: BigInt(String(row?.lsn)) };
    } catch {
      this.lost();
    }
  }

  async #listen(): Promise<void> {
    while (!this.#closed) {
      try {
        const client = await this.database.connect();
        this.#stopListening = () => void client.end().catch(() => {});
        // Closed while the connection was being made: nobody else would end it.
        if (this.#closed) this.#stopListening();
        const ended = new Promise((resolve) => client.once("end", resolve));
        client.on("notification", () => void this.refresh().catch(() => {}));
        await client.query(`listen ${channel}`);
        await ended;
      } catch {
        // The poll goes on alone until listening works again.
      }
      if (!this.#closed) await new Promise((resolve) => setTimeout(resolve, 1000).unref());
    }
  }

  async close(): Promise<void> {
    this.#closed = true;
    clearTimeout(this.#timer);
    this.#stopListening();
    await this.database.end();
  }
}
