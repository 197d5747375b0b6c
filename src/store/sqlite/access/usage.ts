// Usage and rate limits in SQLite. Failed writes are retried later, and a power failure may lose the latest ones.

import { usageColumns, usageCounts } from "../../rows/usage-row.ts";
import type { LimitDelta, LimitTotal, LinkUse, UsageQuery, UsageRow } from "../../store.ts";
import type { Connection } from "../connection.ts";
import { addLinkUse } from "./links.ts";

export function syncLimits(connection: Connection, deltas: readonly LimitDelta[], now: number): LimitTotal[] {
  if (deltas.every(({ requests }) => requests === 0)) return deltas.map((each) => readTotal(connection, each, now));
  return connection.transaction(() =>
    deltas.map((each) => {
      addDelta(connection, each, now);
      return readTotal(connection, each, now);
    }),
  );
}

function addDelta(
  connection: Connection,
  { key, period, requests, seconds, age, maxSeconds }: LimitDelta,
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
    now + maxSeconds,
  );
  // Days and months differ in length; earlier periods of the same length are over.
  if (period !== "")
    connection.run("delete from spent where key = ? and period < ? and length(period) = ?", key, period, period.length);
}

function readTotal(connection: Connection, { key, period, maxSeconds }: LimitDelta, now: number): LimitTotal {
  const row = connection.get("select requests, until from spent where key = ? and period = ?", key, period);
  const secondsToFull = row === undefined ? 0 : Math.min(Number(row.until) - now, maxSeconds);
  return { key, period, requests: Number(row?.requests ?? 0), secondsToFull };
}

export function addUsage(
  connection: Connection,
  rows: readonly UsageRow[],
  at: number,
  links: readonly LinkUse[] = [],
): void {
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
    addLinkUse(connection, links, at);
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
