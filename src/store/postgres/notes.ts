// Notes on PostgreSQL: short texts by name that processes leave for each other.
import type { Store } from "../store.ts";
import type { Query } from "./pool/pool.ts";

export const upsertSetting =
  "insert into setting (name, value) values ($1, $2) on conflict (name) do update set value = excluded.value";

const settingOf = (name: string): string => `note:${name}`;

export const notesOn = (query: Query): Pick<Store, "note" | "claimNote" | "swapNote" | "setNote"> => ({
  note: async (name) => {
    const [row] = await query("select value from setting where name = $1", settingOf(name));
    return row?.value as string | undefined;
  },
  claimNote: async (name, value) => {
    const sql = "insert into setting (name, value) values ($1, $2) on conflict do nothing returning name";
    return (await query(sql, settingOf(name), value)).length > 0;
  },
  swapNote: async (name, from, to) => {
    const sql = "update setting set value = $3 where name = $1 and value = $2 returning name";
    return (await query(sql, settingOf(name), from, to)).length > 0;
  },
  setNote: async (name, value) => {
    await query(upsertSetting, settingOf(name), value);
  },
});
