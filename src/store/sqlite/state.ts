// What answers depend on, as a SQLite file tells it.
import { type Settings, settingNames, settingsOf, stateOf } from "../state.ts";
import type { State } from "../store.ts";
import type { Connection } from "./connection.ts";

export function readSettings(connection: Connection): Settings {
  const rows = connection.all(`select name, value from setting where name in ${settingNames}`);
  return settingsOf(Object.fromEntries(rows.map(({ name, value }) => [name, String(value)])));
}

export function readState(connection: Connection): State {
  const settings = readSettings(connection);
  const last = lastLine(connection);
  const versions = connection.all("select name, seq from version").map(({ name, seq }) => [name, Number(seq)]);
  return stateOf(settings, last, Object.fromEntries(versions));
}

/** The last number of the change log; 0 when it is empty. */
export const lastLine = (connection: Connection): number =>
  Number(connection.get("select max(seq) as seq from change")?.seq ?? 0);
