// The state of a database, read anew by a thread whenever the database has changed. Whether it has is the one thing that
// the main thread asks SQLite itself, once per iteration of the event loop: `pragma data_version` reads shared memory, and
// waits for nobody. A thread would have to be waited for by every response, those from memory included.
import { DatabaseSync, type StatementSync } from "node:sqlite";
import { stateOf } from "../state.ts";
import type { StoreState } from "../store.ts";
import type { Facts } from "./state.ts";

export class CurrentState {
  readonly #file: string;
  readonly #readFacts: () => Promise<Facts>;
  #db: DatabaseSync | undefined;
  #statement: StatementSync | undefined;
  #version: unknown;
  #isChecked = false;
  #known: StoreState | Promise<StoreState> | undefined;

  constructor(file: string, readFacts: () => Promise<Facts>) {
    this.#file = file;
    this.#readFacts = readFacts;
  }

  get(): StoreState | Promise<StoreState> {
    if (!this.#isChecked) {
      this.#isChecked = true;
      setImmediate(() => this.check());
      if (this.#hasChanged()) this.#known = undefined;
    }
    // Looked at before the state is read: what is committed meanwhile is seen next time.
    this.#known ??= this.#read();
    return this.#known;
  }

  /** Has the next one who needs the state look whether it has changed. */
  check(): void {
    this.#isChecked = false;
  }

  close(): void {
    this.#statement = undefined;
    this.#db?.close();
    this.#db = undefined;
  }

  #read(): Promise<StoreState> {
    const reading: Promise<StoreState> = this.#readFacts().then(
      (facts) => {
        const state = stateOf(...facts);
        // A later one may be on its way.
        if (this.#known === reading) this.#known = state;
        return state;
      },
      (error: unknown) => {
        if (this.#known === reading) this.#known = undefined;
        throw error;
      },
    );
    return reading;
  }

  /** Where SQLite can't tell, a thread finds out why. */
  #hasChanged(): boolean {
    try {
      this.#db ??= new DatabaseSync(this.#file, { readOnly: true, timeout: 0 });
      this.#statement ??= this.#db.prepare("pragma data_version");
      const before = this.#version;
      this.#version = this.#statement.get()?.data_version;
      return this.#version !== before;
    } catch {
      return true;
    }
  }
}
