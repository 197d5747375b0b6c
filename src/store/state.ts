// The state that responses depend on, built from the settings and versions that either database holds.
import type { Rendering } from "../core/catalog/field.ts";
import { zone } from "../core/value/time-zone.ts";
import type { State } from "./store.ts";

const defaultZone = "America/New_York";

export type Settings = {
  readonly database: string;
  readonly zone: string;
  readonly cusip: Rendering["cusip"];
  readonly form: string;
};

/** The names of those that make a state, as a list for SQL. */
export const settingNames = "('database', 'zone', 'cusip', 'form')";

/** From the rows of the table. */
export const settingsOf = (values: Readonly<Record<string, string>>): Settings => ({
  database: values.database ?? "",
  zone: values.zone ?? defaultZone,
  cusip: values.cusip === "string" ? "string" : "integer",
  form: values.form ?? "",
});

/** Versions must be read last, so that a concurrent commit counts as a later change and is never missed. */
export function stateOf(settings: Settings, versions: Readonly<Record<string, number>>): State {
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
