// Metadata in PostgreSQL: small named values that processes share.
import type { Store } from "../store.ts";
import type { Query } from "./pool/pool.ts";

export const upsertSetting =
  "insert into setting (name, value) values ($1, $2) on conflict (name) do update set value = excluded.value";

const settingName = (name: string): string => `note:${name}`;

type MetadataMethods =
  | "getMetadata"
  | "setMetadata"
  | "setMetadataIfAbsent"
  | "compareAndSetMetadata"
  | "claimPeriodicJob";

/** `now` is in Unix seconds. */
export const metadataOn = (query: Query, now: () => number): Pick<Store, MetadataMethods> => ({
  getMetadata: async (name) => {
    const [row] = await query("select value from setting where name = $1", settingName(name));
    return row?.value as string | undefined;
  },
  setMetadata: async (name, value) => {
    await query(upsertSetting, settingName(name), value);
  },
  setMetadataIfAbsent: async (name, value) => {
    const sql = "insert into setting (name, value) values ($1, $2) on conflict do nothing returning name";
    return (await query(sql, settingName(name), value)).length > 0;
  },
  compareAndSetMetadata: async (name, from, to) => {
    const sql = "update setting set value = $3 where name = $1 and value = $2 returning name";
    return (await query(sql, settingName(name), from, to)).length > 0;
  },
  // The value is the time of the last claim.
  claimPeriodicJob: async (name, everySeconds) => {
    const at = now();
    const sql = `${upsertSetting} where setting.value::bigint <= $3 returning name`;
    return (await query(sql, settingName(`turn ${name}`), String(at), at - everySeconds)).length > 0;
  },
});
