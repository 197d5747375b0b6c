// Lists on PostgreSQL: pages, records, and how a statement would be executed.
import type { Plan } from "../../core/query/plan.ts";
import type { Zone } from "../../core/value/time-zone.ts";
import { toPage, toRecordPage } from "../rows/page-result.ts";
import { removedRecords, removedRecordsSql } from "../rows/record-history.ts";
import { dayCountsPage, dayCountsStatement, type QueryRows } from "../sql/day-counts.ts";
import type { Compiled } from "../sql/dialect.ts";
import type { Explanation, PageOptions, Store, StoreState } from "../store.ts";
import { plainDialect } from "./dialect.ts";
import {
  createPlanner,
  isPipelinable,
  pageStatement,
  type QueryStrategy,
  recordsStatement,
} from "./planner/planner.ts";
import type { Query } from "./pool/pool.ts";
import type { PgRow } from "./pool/statement.ts";
import type { Cluster } from "./replicas/cluster.ts";

type Reads = Pick<Store, "page" | "records" | "removedRecords" | "snapshot" | "explain">;

/** How a statement of a page is run. */
type RunPage = (strategy: QueryStrategy, statement: Compiled) => Promise<readonly PgRow[]>;

/** `now` is in Unix seconds. */
export function readsOn(cluster: Cluster, now: () => number, statementMs: number): Reads {
  const strategyFor = createPlanner(now);

  const zoneOf = async (state: StoreState | undefined): Promise<Zone> =>
    (state ?? (await cluster.state())).rendering.zone;

  const page = async (
    query: Query,
    run: RunPage,
    plan: Plan,
    state: StoreState | undefined,
    options: PageOptions | undefined,
  ) => {
    if (isDays(plan)) return dayCountsPage(plan, await zoneOf(state), plainDialect, runOn(query));
    const strategy = await strategyFor(query, plan);
    const [row] = await run(strategy, pageStatement(strategy, options));
    return toPage(plan, row, options?.reshape);
  };

  const records = async (query: Query, plan: Plan) => {
    const { sql, parameters } = recordsStatement(await strategyFor(query, plan));
    return toRecordPage(plan, await query(sql, ...parameters));
  };

  return {
    page: (plan, state, options) =>
      cluster.read(cluster.nodeFor(state), (query, pool) => {
        const run: RunPage = (strategy, statement) =>
          isPipelinable(strategy) ? pool.queryPipelined(statement) : query(statement.sql, ...statement.parameters);
        return page(query, run, plan, state, options);
      }),
    records: (plan, state) => cluster.read(cluster.nodeFor(state), (query) => records(query, plan)),
    snapshot: (state) =>
      cluster.read(cluster.nodeFor(state), async (_, pool) => {
        const { query, end } = await pool.session({ timeoutMs: statementMs + 2000 });
        try {
          await beginSnapshot(query, statementMs);
        } catch (error) {
          await end();
          throw error;
        }
        return {
          page: (plan, from, options) =>
            page(query, (_strategy, { sql, parameters }) => query(sql, ...parameters), plan, from, options),
          records: (plan) => records(query, plan),
          close: end,
        };
      }),
    removedRecords: (resource, limit, state) =>
      cluster.read(cluster.nodeFor(state), async (query) =>
        removedRecords(resource, await query(removedRecordsSql("$1", "$2"), resource.name, limit)),
      ),
    explain: (plan) =>
      cluster.read(cluster.nodeFor(undefined), async (query) => {
        if (!isDays(plan)) return explain(query, pageStatement(await strategyFor(query, plan)));
        return explain(query, await dayCountsStatement(plan, await zoneOf(undefined), plainDialect, runOn(query)));
      }),
  };
}

/** With the parameters of pooled connections. They end with the transaction, so that a pooler may reuse the connection. */
async function beginSnapshot(query: Query, statementMs: number): Promise<void> {
  await query("begin transaction isolation level repeatable read, read only");
  await query(`set local statement_timeout = ${statementMs}`);
  await query("set local plan_cache_mode = force_generic_plan");
  await query("set local jit = off");
  // The snapshot is that of the first statement.
  await query("select 1");
}

const runOn =
  (query: Query): QueryRows =>
  ({ sql, parameters }) =>
    query(sql, ...parameters);

const isDays = ({ resource }: Plan): boolean => resource.dayCountsOf !== undefined;

async function explain(query: Query, { sql, parameters }: Compiled): Promise<Explanation> {
  const rows = await query(`explain ${sql}`, ...parameters);
  return { sql, parameters, steps: rows.map((row) => String(row["QUERY PLAN"])) };
}
