// What answers depend on, put together from what either database holds: its settings, its versions, the end of its log.
import type { Rendering } from "../core/catalog/field.ts";
import { zone } from "../core/value/time-zone.ts";
import type { State } from "./store.ts";

const defaultZone = "America/New_York";

/** The version that moves with every change of records that the log does not tell line by line. */
export const untold = "untold";

export type Settings = {
  readonly database: string;
  readonly zone: string;
  readonly cusip: Rendering["cusip"];
  readonly form: string;
  /** Up to this line the log is forgotten. */
  readonly forgotten: number;
};

/** The names of those that make a state, as a list for SQL. */
export const settingNames = "('database', 'zone', 'cusip', 'form', 'forgotten')";

/** From the rows of the table. */
export const settingsOf = (values: Readonly<Record<string, string>>): Settings => ({
  database: values.database ?? "",
  zone: values.zone ?? defaultZone,
  cusip: values.cusip === "string" ? "string" : "integer",
  form: values.form ?? "",
  forgotten: Number(values.forgotten ?? 0),
});

/** The versions are read last: what is committed meanwhile is then taken for a later change, never overlooked. */
export function stateOf(settings: Settings, lastLine: number, versions: Readonly<Record<string, number>>): State {
  const { database, zone: name, cusip } = settings;
  const found = zone(name);
  if (found === undefined) throw new Error(`this Node.js does not know the time zone ${name} of the database`);
  const versionOf = (each: string): number => versions[each] ?? 0;
  return {
    database,
    settings: { zone: name, cusip },
    rendering: { zone: found, cusip },
    stamp: stamps(database, versionOf),
    keys: versionOf("keys"),
    changed: Math.max(lastLine, settings.forgotten),
    era: `${database}.${versionOf(untold)}`,
  };
}

/** What a tag says of the data behind an answer. Each list's is put together once, when it is first asked for. */
function stamps(database: string, versionOf: (name: string) => number): State["stamp"] {
  const known = new Map<object, string>();
  return (listing) => {
    let stamp = known.get(listing);
    if (stamp === undefined) {
      const { name, versions = [name] } = listing;
      stamp = `${database}.${versions.map((each) => versionOf(each).toString(36)).join("-")}`;
      known.set(listing, stamp);
    }
    return stamp;
  };
}
