// Reads the state that responses depend on from a node, and names the channel that announces its changes.
import { type Settings, settingNames, settingsOf, stateOf } from "../../state.ts";
import type { StoreState } from "../../store.ts";
import type { Query } from "../pool/pool.ts";
import type { PgRow } from "../pool/statement.ts";

/** NOTIFY channel for commits. */
export const channel = "bellwire";

const stateQuery = `select
  (select coalesce(json_object_agg(name, value), '{}') from setting where name in ${settingNames}) as settings,
  (select coalesce(max(seq), 0) from change) as position,
  (select coalesce(json_object_agg(name, seq), '{}') from version) as versions`;

export async function readState(query: Query): Promise<StoreState & { readonly settings: Settings }> {
  const [row] = await query(stateQuery);
  const {
    settings: stored,
    position,
    versions,
  } = row as PgRow & {
    settings: Record<string, string>;
    position: string;
    versions: Record<string, number>;
  };
  const settings = settingsOf(stored);
  return { ...stateOf(settings, Number(position), versions), settings };
}
