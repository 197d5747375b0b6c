// Lists on PostgreSQL: pages, records, and how a statement would be executed.
import type { Plan } from "../../core/query/plan.ts";
import type { Zone } from "../../core/value/time-zone.ts";
import { toPage, toRecordPage } from "../rows/page-result.ts";
import { removedRecords, removedRecordsSql } from "../rows/record-history.ts";
import { dayCountsPage, dayCountsStatement, type QueryRows } from "../sql/day-counts.ts";
import type { Compiled } from "../sql/dialect.ts";
import type { Explanation, Store, StoreState } from "../store.ts";
import { plainDialect } from "./dialect.ts";
import { createPlanner, isPipelinable, pageStatement, recordsStatement } from "./planner/planner.ts";
import type { Query } from "./pool/pool.ts";
import type { Cluster } from "./replicas/cluster.ts";

/** `now` is in Unix seconds. */
export function readsOn(
  cluster: Cluster,
  now: () => number,
): Pick<Store, "page" | "records" | "removedRecords" | "explain"> {
  const strategyFor = createPlanner(now);

  /** Days are those of the state's time zone. */
  const withDays = async <T>(
    known: StoreState | undefined,
    work: (zone: Zone, run: QueryRows, query: Query) => Promise<T>,
  ): Promise<T> => {
    const state = known ?? (await cluster.state());
    return cluster.read(cluster.nodeFor(state), (query) =>
      work(state.rendering.zone, ({ sql, parameters }) => query(sql, ...parameters), query),
    );
  };

  return {
    page: (plan, state, options) => {
      if (isDays(plan)) return withDays(state, (zone, run) => dayCountsPage(plan, zone, plainDialect, run));
      return cluster.read(cluster.nodeFor(state), async (query, pool) => {
        const strategy = await strategyFor(query, plan);
        const statement = pageStatement(strategy, options);
        const [row] = await (isPipelinable(strategy)
          ? pool.queryPipelined(statement)
          : query(statement.sql, ...statement.parameters));
        return toPage(plan, row, options?.reshape);
      });
    },
    records: (plan, state) =>
      cluster.read(cluster.nodeFor(state), async (query) => {
        const { sql, parameters } = recordsStatement(await strategyFor(query, plan));
        return toRecordPage(plan, await query(sql, ...parameters));
      }),
    removedRecords: (resource, limit, state) =>
      cluster.read(cluster.nodeFor(state), async (query) =>
        removedRecords(resource, await query(removedRecordsSql("$1", "$2"), resource.name, limit)),
      ),
    explain: (plan) =>
      isDays(plan)
        ? withDays(undefined, async (zone, run, query) =>
            explain(query, await dayCountsStatement(plan, zone, plainDialect, run)),
          )
        : cluster.read(cluster.nodeFor(undefined), async (query) =>
            explain(query, pageStatement(await strategyFor(query, plan))),
          ),
  };
}

const isDays = ({ resource }: Plan): boolean => resource.dayCountsOf !== undefined;

async function explain(query: Query, { sql, parameters }: Compiled): Promise<Explanation> {
  const rows = await query(`explain ${sql}`, ...parameters);
  return { sql, parameters, steps: rows.map((row) => String(row["QUERY PLAN"])) };
}
