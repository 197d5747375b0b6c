// What answers from one server depend on, kept fresh: told by NOTIFY, with a poll behind it for lost notifications.
import { type Settings, settingNames, settingsOf, stateOf } from "../../state.ts";
import type { StoreState } from "../../store.ts";
import type { Query } from "../pool/pool.ts";
import type { PgRow } from "../pool/statement.ts";

/** The channel on which a writer says that it has committed. */
export const channel = "bellwire";

const stateQuery = `select
  (select coalesce(json_object_agg(name, value), '{}') from setting where name in ${settingNames}) as settings,
  (select coalesce(json_object_agg(name, seq), '{}') from version) as versions`;

export async function readState(query: Query): Promise<StoreState & { readonly settings: Settings }> {
  const [row] = await query(stateQuery);
  const { settings, versions } = row as PgRow & {
    settings: Record<string, string>;
    versions: Record<string, number>;
  };
  const told = settingsOf(settings);
  return { ...stateOf(told, versions), settings: told };
}
