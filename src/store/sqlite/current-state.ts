// The cached state of a database, refreshed by a thread after a commit. The main thread itself checks for commits, once per
// event loop iteration: `pragma data_version` reads shared memory and never blocks, whereas asking a thread would delay
// every response, cached ones included.
import { DatabaseSync, type StatementSync } from "node:sqlite";
import { stateOf } from "../state.ts";
import type { StoreState } from "../store.ts";
import type { StateInputs } from "./state.ts";

export class CurrentState {
  readonly #file: string;
  readonly #readInputs: () => Promise<StateInputs>;
  #db: DatabaseSync | undefined;
  #statement: StatementSync | undefined;
  #version: unknown;
  #isChecked = false;
  #cached: StoreState | Promise<StoreState> | undefined;

  constructor(file: string, readInputs: () => Promise<StateInputs>) {
    this.#file = file;
    this.#readInputs = readInputs;
  }

  get(): StoreState | Promise<StoreState> {
    if (!this.#isChecked) {
      this.#isChecked = true;
      setImmediate(() => this.invalidate());
      if (this.#hasChanged()) this.#cached = undefined;
    }
    // The version was read first, so that a commit during the read is seen next time.
    this.#cached ??= this.#read();
    return this.#cached;
  }

  /** Makes the next call of `get` check for changes. */
  invalidate(): void {
    this.#isChecked = false;
  }

  close(): void {
    this.#statement = undefined;
    this.#db?.close();
    this.#db = undefined;
  }

  #read(): Promise<StoreState> {
    const reading: Promise<StoreState> = this.#readInputs().then(
      (inputs) => {
        const state = stateOf(...inputs);
        // A newer read may be in flight.
        if (this.#cached === reading) this.#cached = state;
        return state;
      },
      (error: unknown) => {
        if (this.#cached === reading) this.#cached = undefined;
        throw error;
      },
    );
    return reading;
  }

  /** On an error, assumes a change: the thread that reads the state will report it. */
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
