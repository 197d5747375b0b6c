// Reads the state that responses depend on from a SQLite file.
import { type Settings, settingNames, settingsOf, stateOf } from "../state.ts";
import type { StoreState } from "../store.ts";
import type { Connection } from "./connection.ts";

export function readSettings(connection: Connection): Settings {
  const rows = connection.all(`select name, value from setting where name in ${settingNames}`);
  return settingsOf(Object.fromEntries(rows.map(({ name, value }) => [name, String(value)])));
}

/** The arguments of `stateOf`; unlike the state, they can be sent to another thread. */
export type StateInputs = Parameters<typeof stateOf>;

export function readStateInputs(connection: Connection): StateInputs {
  const settings = readSettings(connection);
  const position = lastPosition(connection);
  const versions = connection.all("select name, seq from version").map(({ name, seq }) => [name, Number(seq)]);
  return [settings, position, Object.fromEntries(versions)];
}

export const readState = (connection: Connection): StoreState => stateOf(...readStateInputs(connection));

/** The position of the last entry in the change log; 0 if it's empty. */
export const lastPosition = (connection: Connection): number =>
  Number(connection.get("select max(seq) as seq from change")?.seq ?? 0);
