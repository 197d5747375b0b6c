// For tests of exactness under faults: a database that can crash, a writer of random changes, and what its log says.
import assert from "node:assert/strict";
import { setTimeout as pause } from "node:timers/promises";
import type { Resource } from "../../src/core/catalog/resource.ts";
import { printFieldError, validateRecord } from "../../src/core/record/validate.ts";
import { catalog } from "../../src/resources/catalog.ts";
import { type RecordChange, type Store, StoreError } from "../../src/store/store.ts";
import { crowd, sample } from "../support/records/records.ts";
import { makePostgres } from "../support/stores/postgres.ts";
import { type StoreName, sqliteDatabase } from "../support/stores/stores.ts";

const changesPerSecond = 50;
const idsPerResource = 20;

export const now = () => Math.floor(Date.now() / 1000);

export type Database = { readonly name: string; crash?(): Promise<void>; release(): Promise<void> };

export async function databaseOn(store: StoreName): Promise<Database> {
  if (store === "sqlite") return sqliteDatabase();
  const postgres = await makePostgres();
  await postgres.start();
  return {
    name: postgres.url,
    crash: async () => {
      await postgres.stop("immediate");
      await postgres.start();
    },
    release: () => postgres.remove(),
  };
}

/** Creates, changes, and removes records of all resources, at a rate. */
export class Writer {
  changes = 0;
  /** Raised as the test proceeds: otherwise, a slow machine would have more changes to deliver. */
  maxChanges = 0;
  readonly crowds = new Map(catalog.map((resource) => [resource, sample(crowd(resource, 60))]));
  #isStopped = false;
  readonly #random: (below: number) => number;
  readonly #store: Store;

  constructor(store: Store, pick: (below: number) => number) {
    this.#store = store;
    this.#random = pick;
  }

  async run(): Promise<void> {
    const startedAt = performance.now();
    while (!this.#isStopped) {
      await this.#change().catch(async (error: unknown) => {
        if (!(error instanceof StoreError)) throw error;
        await pause(100);
      });
      await pause(Math.max(0, startedAt + (this.changes * 1000) / changesPerSecond - performance.now()));
      while (this.changes >= this.maxChanges && !this.#isStopped) await pause(10);
    }
  }

  stop(): void {
    this.#isStopped = true;
  }

  async #change(): Promise<void> {
    const resource = this.#pick(catalog);
    const records = this.crowds.get(resource) ?? [];
    const { id } = this.#pick(records.slice(0, idsPerResource));
    if (this.#random(5) === 0) await this.#store.remove(resource, [String(id)]);
    else {
      const accepted = validateRecord(resource, { ...this.#pick(records), id }, now());
      assert.ok("row" in accepted, "errors" in accepted ? accepted.errors.map(printFieldError).join() : "");
      await this.#store.put(resource, [accepted]);
    }
    this.changes++;
  }

  #pick<T>(values: readonly T[]): T {
    return values[this.#random(values.length)] as T;
  }
}

const logs = new WeakMap<Store, Map<Resource, Promise<RecordChange[]>>>();

/** The whole log of a resource, read once. */
export function logOf(store: Store, resource: Resource): Promise<RecordChange[]> {
  const known = logs.get(store) ?? new Map();
  logs.set(store, known);
  known.set(resource, known.get(resource) ?? readLog(store, resource));
  return known.get(resource);
}

async function readLog(store: Store, resource: Resource): Promise<RecordChange[]> {
  const log: RecordChange[] = [];
  for (;;) {
    const entries = await store.recordChanges(resource, log.at(-1)?.seq ?? 0, 200);
    if (entries.length === 0) return log;
    log.push(...entries);
  }
}
