// What a command is: its words, the settings and options it takes, and what it does.

import { existsSync } from "node:fs";
import { type Config, type SettingName, UsageError } from "../config.ts";
import type { Resource } from "../core/resource.ts";
import { catalog } from "../resources/catalog.ts";
import { openSqlite } from "../store/sqlite/sqlite.ts";
import type { Store } from "../store/store.ts";

export type Option = { readonly value?: string; readonly help: string };

export type Invocation = {
  readonly words: readonly string[];
  readonly config: Config;
  readonly options: Readonly<Record<string, string | boolean | undefined>>;
};

export type Command = {
  readonly usage: string;
  readonly help: string;
  readonly settings: readonly SettingName[];
  readonly options?: Readonly<Record<string, Option>>;
  /** Gives the exit status. */
  readonly run: (invocation: Invocation) => Promise<number>;
};

export const say = (text: string): void => void process.stdout.write(`${text}\n`);
export const complain = (text: string): void => void process.stderr.write(`${text}\n`);

/** Only commands that write make a database: a mistyped name must not pass for an empty one. */
export type Opening = "make" | "must exist";

export function openStore(config: Config, opening: Opening = "make"): Store {
  const database = config.get("database");
  if (/^postgres(ql)?:/.test(database)) {
    throw new UsageError("--database: this version stores in SQLite only; expected a file, got a postgres address");
  }
  if (opening === "must exist" && !existsSync(database)) {
    throw new UsageError(`--database: there is no database at "${database}"; serve, import and keys create make one`);
  }
  return openSqlite({ file: database, catalog });
}

/** Runs with an open store and closes it whatever happens. */
export async function withStore<T>(config: Config, work: (store: Store) => Promise<T>, opening?: Opening): Promise<T> {
  const store = openStore(config, opening);
  try {
    return await work(store);
  } finally {
    await store.close();
  }
}

export function resourceNamed(name: string | undefined): Resource {
  const found = catalog.find((resource) => resource.name === name);
  if (found !== undefined) return found;
  const names = catalog.map((resource) => resource.name).join(", ");
  throw new UsageError(`RESOURCE: expected one of ${names}, got ${name === undefined ? "nothing" : `"${name}"`}`);
}
