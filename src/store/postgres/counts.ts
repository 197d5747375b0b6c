// Writes the counts of a transaction to PostgreSQL. The caller holds the transaction.
import { countColumns } from "../counts.ts";
import { mergeCounts, type Tally } from "../tally.ts";
import type { Query } from "./database.ts";

export async function writeCounts(query: Query, tally: Tally): Promise<void> {
  const { counted, tables } = tally;
  const changes = tally.changes();
  if (counted === undefined || changes.size === 0) return;
  const names = [...counted.held, ...counted.earlier];
  const rows = await query(`select * from ${tables.table}_count where parent = any($1)`, [...changes.keys()]);
  const { written, gone } = mergeCounts(
    changes,
    rows.map((row) => ({
      parent: String(row.parent),
      period: String(row.period),
      counts: names.map((name) => Number(row[name])),
    })),
  );
  if (gone.length > 0) {
    await query(
      `delete from ${tables.table}_count c using unnest($1::text[], $2::text[]) g (parent, period)
       where c.parent = g.parent and c.period = g.period`,
      gone.map(({ parent }) => parent),
      gone.map(({ period }) => period),
    );
  }
  if (written.length > 0) {
    const columns = countColumns(counted);
    const values = written.map(({ parent, period, counts }) => [parent, period, ...counts]);
    const arrays = columns.map((_, index) => `$${index + 1}::${index < 2 ? "text" : "bigint"}[]`);
    const updates = names.map((name) => `${name} = excluded.${name}`);
    await query(
      `insert into ${tables.table}_count (${columns.join(", ")}) select * from unnest(${arrays.join(", ")})
       on conflict (parent, period) do update set ${updates.join(", ")}`,
      ...columns.map((_, index) => values.map((row) => row[index])),
    );
  }
}
