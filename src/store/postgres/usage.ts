// Usage and shared limits of keys in PostgreSQL: one statement per batch, without the write lock.
import { usageColumns, usageCounts } from "../rows/usage-row.ts";
import type { LimitDelta, LimitTotal, Store, UsageQuery, UsageRow } from "../store.ts";
import { addLinkUse } from "./links.ts";
import type { Query } from "./pool/pool.ts";

export const usageOn = (query: Query): Pick<Store, "syncLimits" | "addUsage" | "usage" | "lastUsed"> => ({
  syncLimits: (deltas) => syncLimits(query, deltas),
  addUsage: async (rows, at, links = []) => {
    await addUsage(query, rows, at);
    await addLinkUse(query, links, at);
  },
  usage: (requested) => readUsage(query, requested),
  lastUsed: () => lastUsed(query),
});

/** Rows are sorted, so that processes that update the same keys don't deadlock. */
const syncSql = `
  with clock as materialized (select extract(epoch from clock_timestamp())::double precision as now),
  delta as materialized (
    select * from clock, unnest($1::text[], $2::text[], $3::bigint[], $4::float8[], $5::float8[], $6::float8[])
      g (key, period, requests, seconds, age, most)
  )
  insert into spent as s (key, period, requests, until)
  select key, period, requests, now - age + seconds from delta order by key, period
  on conflict (key, period) do update set
    requests = s.requests + excluded.requests,
    until = (select case when g.requests = 0 then s.until else least(greatest(s.until, g.now - g.age) + g.seconds, g.now + g.most) end
      from delta g where g.key = s.key and g.period = s.period)
  returning key, period, requests, until - (select now from clock) as ahead`;

async function syncLimits(query: Query, deltas: readonly LimitDelta[]): Promise<LimitTotal[]> {
  const columns = (["key", "period", "requests", "seconds", "age", "maxSeconds"] as const).map((name) =>
    deltas.map((each) => each[name]),
  );
  const rows = await query(syncSql, ...columns);
  const found = new Map(rows.map((row) => [`${row.key} ${row.period}`, row]));
  const totals = deltas.map(({ key, period, maxSeconds }) => {
    const row = found.get(`${key} ${period}`);
    return { key, period, requests: Number(row?.requests), secondsToFull: Math.min(Number(row?.ahead), maxSeconds) };
  });
  const begun = totals.filter(({ period, requests }, at) => period !== "" && requests === deltas[at]?.requests);
  // Names of daily and monthly periods differ in length; earlier ones of the same length are over.
  if (begun.length > 0)
    await query(
      `delete from spent s using unnest($1::text[], $2::text[]) b (key, period)
       where s.key = b.key and s.period < b.period and length(s.period) = length(b.period)`,
      begun.map(({ key }) => key),
      begun.map(({ period }) => period),
    );
  return totals;
}

async function addUsage(query: Query, rows: readonly UsageRow[], at: number): Promise<void> {
  const sums = usageCounts.map((name) => `${name} = u.${name} + excluded.${name}`).join(", ");
  const types = usageColumns.map((name, index) => `$${index + 1}::${isCount(name) ? "bigint" : "text"}[]`).join(", ");
  await query(
    `with usages as (
       insert into usage as u (${usageColumns.join(", ")}) select * from unnest(${types}) order by 1, 2, 3
       on conflict (day, key, resource) do update set ${sums}
     )
     insert into last_use as l (key, at) select distinct key, $${usageColumns.length + 1}::bigint from unnest($2::text[]) k (key) order by 1
     on conflict (key) do update set at = greatest(l.at, excluded.at)`,
    ...usageColumns.map((name) => rows.map((row) => row[name])),
    at,
  );
}

const isCount = (name: string): boolean => usageCounts.some((count) => count === name);

async function readUsage(query: Query, { from, to, key }: UsageQuery): Promise<UsageRow[]> {
  const rows = await query(
    `select ${usageColumns.join(", ")} from usage
     where day between $1 and $2${key === undefined ? "" : " and key = $3"} order by day, key, resource`,
    from,
    to,
    ...(key === undefined ? [] : [key]),
  );
  return rows.map((row) => ({
    ...(row as unknown as UsageRow),
    ...Object.fromEntries(usageCounts.map((name) => [name, Number(row[name])])),
  }));
}

async function lastUsed(query: Query): Promise<Map<string, number>> {
  const rows = await query("select key, at from last_use");
  return new Map(rows.map(({ key, at }) => [String(key), Number(at)]));
}
