// What answers depend on, as a SQLite file tells it.
import { type Settings, settingNames, settingsOf, stateOf } from "../state.ts";
import type { StoreState } from "../store.ts";
import type { Connection } from "./connection.ts";

export function readSettings(connection: Connection): Settings {
  const rows = connection.all(`select name, value from setting where name in ${settingNames}`);
  return settingsOf(Object.fromEntries(rows.map(({ name, value }) => [name, String(value)])));
}

/** What a state is made of; unlike the state, it can be sent to another thread. */
export type Facts = Parameters<typeof stateOf>;

export function readFacts(connection: Connection): Facts {
  const settings = readSettings(connection);
  const versions = connection.all("select name, seq from version").map(({ name, seq }) => [name, Number(seq)]);
  return [settings, Object.fromEntries(versions)];
}

export const readState = (connection: Connection): StoreState => stateOf(...readFacts(connection));

/** The last number of the change log; 0 when it is empty. */
export const lastLine = (connection: Connection): number =>
  Number(connection.get("select max(seq) as seq from change")?.seq ?? 0);
