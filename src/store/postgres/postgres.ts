// The store on PostgreSQL: any number of processes share one primary, and replicas serve reads.
import type { Resource } from "../../core/catalog/resource.ts";
import { type Migration, migrations as ownMigrations } from "../migrate.ts";
import { tableName } from "../sql/compile.ts";
import { totalCountSql } from "../sql/count-index.ts";
import type { Store } from "../store.ts";
import { keysOn } from "./keys.ts";
import { linksOn } from "./links.ts";
import { metadataOn } from "./metadata.ts";
import { serverMetrics } from "./metrics.ts";
import type { Query } from "./pool/pool.ts";
import { readsOn } from "./reads.ts";
import { Cluster, type ClusterOptions } from "./replicas/cluster.ts";
import { allRows, readRecordChanges, rowsAfter, rowsOf } from "./rows.ts";
import { upgrade } from "./schema.ts";
import { usageOn } from "./usage.ts";
import { webhooksOn } from "./webhooks.ts";
import { lastChangedAt, oldestPosition, readChanges, readRecordVersions } from "./write/change-log.ts";
import { optimizeTables } from "./write/optimize.ts";
import { createWriter, writesOn } from "./write/writer.ts";

export type PostgresOptions = ClusterOptions & {
  readonly catalog: readonly Resource[];
  /** Tests may pass their own. */
  readonly migrations?: readonly Migration[];
  /** Unix seconds; tests may pass their own clock. */
  readonly now?: () => number;
};

/** Succeeds even if no server is reachable yet. */
export function openPostgres(options: PostgresOptions): Store {
  const { catalog, migrations = ownMigrations, now = () => Math.floor(Date.now() / 1000) } = options;
  const cluster = new Cluster(options);
  const { pool } = cluster.primary;
  const query: Query = (sql, ...values) => pool.query(sql, ...values);
  const queryInBackground: Query = (sql, ...values) => pool.queryInBackground(sql, ...values);
  const write = createWriter(cluster.primary, options.statementSeconds * 1000);
  return {
    prepare: async () => {
      await upgrade(pool, catalog, migrations);
      // So that the first request finds every server that is up.
      await cluster.probe();
    },
    state: () => cluster.state(),
    staleness: (state) => cluster.staleness(state),
    ...readsOn(cluster, now, options.statementSeconds * 1000),
    ...writesOn(write, catalog, now),
    ...keysOn(cluster, write),
    ...linksOn(cluster, write),
    ...usageOn(queryInBackground),
    ...metadataOn(queryInBackground, now),
    webhooks: webhooksOn(
      queryInBackground,
      (work) => pool.transaction((_client, inTransaction) => work(inTransaction)),
      write,
    ),
    scan: (resource, after) => allRows(pool, resource, after),
    optimize: (resource) => optimizeTables(queryInBackground, resource),
    rowsOf: (resource, ids) => rowsOf(query, resource, ids),
    rowsAfter: (resource, after, limit) => rowsAfter(query, resource, after, limit),
    count: async (resource) => {
      const [row] = await query(totalCountSql(resource, tableName(resource)));
      return Number(row?.n);
    },
    isEmpty: async () => {
      const tests = catalog.map((resource) => `exists (select 1 from ${tableName(resource)})`);
      const [row] = await query(`select not (${tests.join(" or ")}) as empty`);
      return row?.empty === true;
    },
    changes: (after, limit, resource) => readChanges(query, after, limit, resource),
    recordChanges: (resource, after, limit) => readRecordChanges(query, resource, after, limit),
    recordVersions: (after, upTo) => readRecordVersions(query, after, upTo),
    lastPosition: async () => {
      const [row] = await query("select coalesce(max(seq), 0) as seq from change");
      return Number(row?.seq);
    },
    lastChangedAt: (resource) => lastChangedAt(query, resource.name),
    oldestPosition: () => oldestPosition(query),
    health: async () => cluster.health(),
    metrics: () => serverMetrics(cluster.balancer),
    close: () => cluster.close(),
  };
}
