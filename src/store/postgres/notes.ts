// Notes on PostgreSQL: short texts by name that processes leave for each other.
import type { Store } from "../store.ts";
import type { Query } from "./pool/pool.ts";

export const upsertSetting =
  "insert into setting (name, value) values ($1, $2) on conflict (name) do update set value = excluded.value";

const settingOf = (name: string): string => `note:${name}`;

export const metadataOn = (
  query: Query,
): Pick<Store, "getMetadata" | "setMetadataIfAbsent" | "compareAndSetMetadata" | "setMetadata"> => ({
  getMetadata: async (name) => {
    const [row] = await query("select value from setting where name = $1", settingOf(name));
    return row?.value as string | undefined;
  },
  setMetadataIfAbsent: async (name, value) => {
    const sql = "insert into setting (name, value) values ($1, $2) on conflict do nothing returning name";
    return (await query(sql, settingOf(name), value)).length > 0;
  },
  compareAndSetMetadata: async (name, from, to) => {
    const sql = "update setting set value = $3 where name = $1 and value = $2 returning name";
    return (await query(sql, settingOf(name), from, to)).length > 0;
  },
  setMetadata: async (name, value) => {
    await query(upsertSetting, settingOf(name), value);
  },
});
