// What keys have used, in SQLite. What can't be written now is written later, and a power cut may take the last of it.

import { usageColumns, usageCounts } from "../rows/usage-row.ts";
import type { LimitDelta, LimitTotal, UsageQuery, UsageRow } from "../store.ts";
import type { Connection } from "./connection.ts";

export function exchange(connection: Connection, spending: readonly LimitDelta[], now: number): LimitTotal[] {
  if (spending.every(({ requests }) => requests === 0)) return spending.map((each) => spentOf(connection, each, now));
  return connection.transaction(() =>
    spending.map((each) => {
      spend(connection, each, now);
      return spentOf(connection, each, now);
    }),
  );
}

function spend(
  connection: Connection,
  { key, period, requests, seconds, age, maxSeconds: most }: LimitDelta,
  now: number,
): void {
  if (requests === 0) return;
  connection.run(
    `insert into spent (key, period, requests, until) values (?1, ?2, ?3, ?5 + ?4)
     on conflict (key, period) do update set requests = requests + ?3, until = min(max(until, ?5) + ?4, ?6)`,
    key,
    period,
    requests,
    seconds,
    now - age,
    now + most,
  );
  // Periods of one kind have names of one length; those before this one are over.
  if (period !== "")
    connection.run("delete from spent where key = ? and period < ? and length(period) = ?", key, period, period.length);
}

function spentOf(connection: Connection, { key, period, maxSeconds: most }: LimitDelta, now: number): LimitTotal {
  const row = connection.get("select requests, until from spent where key = ? and period = ?", key, period);
  const ahead = row === undefined ? 0 : Math.min(Number(row.until) - now, most);
  return { key, period, requests: Number(row?.requests ?? 0), secondsToFull: ahead };
}

export function addUsage(connection: Connection, rows: readonly UsageRow[], at: number): void {
  const sums = usageCounts.map((name) => `${name} = ${name} + excluded.${name}`).join(", ");
  connection.transaction(() => {
    for (const row of rows)
      connection.run(
        `insert into usage (${usageColumns.join(", ")}) values (${usageColumns.map(() => "?").join(", ")})
         on conflict (day, key, resource) do update set ${sums}`,
        ...usageColumns.map((name) => row[name]),
      );
    for (const key of new Set(rows.map((row) => row.key)))
      connection.run(
        "insert into last_use (key, at) values (?, ?) on conflict (key) do update set at = max(at, excluded.at)",
        key,
        at,
      );
  });
}

export function readUsage(connection: Connection, { from, to, key }: UsageQuery): UsageRow[] {
  const [test, values] = key === undefined ? ["", []] : [" and key = ?", [key]];
  const rows = connection.all(
    `select ${usageColumns.join(", ")} from usage where day between ? and ?${test} order by day, key, resource`,
    from,
    to,
    ...values,
  );
  return rows.map((row) => ({ ...row }) as unknown as UsageRow);
}

export const lastUsed = (connection: Connection): Map<string, number> =>
  new Map(connection.all("select key, at from last_use").map(({ key, at }) => [String(key), Number(at)]));
