// The state that responses depend on, built from the settings and versions that either database holds.
import type { Rendering } from "../core/catalog/field.ts";
import { zone } from "../core/value/time-zone.ts";
import type { StoreState } from "./store.ts";

const defaultZone = "America/New_York";

export type Settings = {
  readonly database: string;
  readonly zone: string;
  readonly cusip: Rendering["cusip"];
  readonly form: string;
};

/** Names of the settings that are part of the state, as an SQL list. */
export const settingNames = "('database', 'zone', 'cusip', 'form')";

/** Builds the settings from the values in the `setting` table, by name. */
export const settingsOf = (values: Readonly<Record<string, string>>): Settings => ({
  database: values.database ?? "",
  zone: values.zone ?? defaultZone,
  cusip: values.cusip === "string" ? "string" : "integer",
  form: values.form ?? "",
});

/**
 * The position is read before the versions, and versions last, so that a concurrent commit counts as a later change and is
 * never missed.
 */
export function stateOf(settings: Settings, position: number, versions: Readonly<Record<string, number>>): StoreState {
  const { database, zone: name, cusip } = settings;
  const found = zone(name);
  if (found === undefined) throw new Error(`this Node.js doesn't support the database's time zone ${name}`);
  const versionOf = (each: string): number => versions[each] ?? 0;
  return {
    databaseId: database,
    settings: { zone: name, cusip },
    rendering: { zone: found, cusip },
    versionTag: versionTags(database, versionOf),
    keysVersion: versionOf("keys"),
    position,
  };
}

/** The part of an ETag that identifies the data behind a response; built once per list. */
function versionTags(database: string, versionOf: (name: string) => number): StoreState["versionTag"] {
  const tags = new Map<object, string>();
  return (listing) => {
    let tag = tags.get(listing);
    if (tag === undefined) {
      const { name, versions = [name] } = listing;
      tag = `${database}.${versions.map((each) => versionOf(each).toString(36)).join("-")}`;
      tags.set(listing, tag);
    }
    return tag;
  };
}
