// What answers from one server depend on, kept fresh: told by NOTIFY, with a poll behind it for lost notifications.

import type { Rendering } from "../../core/field.ts";
import { zone } from "../../core/zone.ts";
import { stamps } from "../stamp.ts";
import type { State } from "../store.ts";
import type { PgRow } from "./ask.ts";
import type { Query } from "./database.ts";

/** The channel on which a writer says that it has committed. */
export const channel = "bellwire";

export const defaultZone = "America/New_York";

export type Settings = {
  readonly zone: string;
  readonly cusip: Rendering["cusip"];
  readonly form: string;
};

const stateQuery = `select
  (select coalesce(json_object_agg(name, value), '{}') from setting where name in ('database', 'zone', 'cusip', 'form')) as settings,
  (select coalesce(json_object_agg(name, seq), '{}') from version) as versions`;

export async function readState(query: Query): Promise<State & { readonly settings: Settings }> {
  const [row] = await query(stateQuery);
  const { settings, versions } = row as PgRow & { settings: Record<string, string>; versions: Record<string, number> };
  const name = settings.zone ?? defaultZone;
  const found = zone(name);
  if (found === undefined) throw new Error(`this Node.js does not know the time zone ${name} of the database`);
  const cusip = settings.cusip === "string" ? "string" : "integer";
  return {
    database: settings.database ?? "",
    settings: { zone: name, cusip, form: settings.form ?? "" },
    rendering: { zone: found, cusip },
    stamp: stamps(settings.database ?? "", (each) => versions[each] ?? 0),
    keys: versions.keys ?? 0,
  };
}
