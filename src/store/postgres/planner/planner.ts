// Chooses how to execute a plan on PostgreSQL where that depends on the data, and compiles the statements.
import type { Plan } from "../../../core/query/plan.ts";
import { chooseAccessPath, type Hints } from "../../sql/access-path.ts";
import { compilePage, compileRecords } from "../../sql/compile.ts";
import type { Compiled } from "../../sql/dialect.ts";
import { isFastOnPostgres, isSmallPage } from "../../sql/index-scan.ts";
import type { PageOptions } from "../../store.ts";
import { noSearch, plainDialect, type Selectivity, searchDialect } from "../dialect.ts";
import type { Query } from "../pool/pool.ts";
import { isMultiValueScan } from "./multi-value-scan.ts";
import { createSelectivityEstimator, isSelective } from "./term-selectivity.ts";

export type QueryStrategy = { readonly plan: Plan; readonly selectivity: Selectivity; readonly hints: Hints };

/** Queries the data as needed; the selectivity of search terms is cached. `now` is in Unix seconds. */
export function createPlanner(now: () => number): (query: Query, plan: Plan) => Promise<QueryStrategy> {
  const selectivityFor = createSelectivityEstimator(now);
  return async (query, plan) => {
    const selectivity = await selectivityFor(query, plan);
    if (isMultiValueScan(plan)) return { plan, selectivity, hints: { path: undefined, isPastEnd: false } };
    const hints = await chooseAccessPath(plan, dialectFor(selectivity), async ({ sql, parameters }) => {
      const [row] = await query(sql, ...parameters);
      return row;
    });
    return { plan, selectivity, hints };
  };
}

export const pageStatement = ({ plan, selectivity, hints }: QueryStrategy, options?: PageOptions): Compiled =>
  compilePage(plan, dialectFor(selectivity), hints, options);

export const recordsStatement = ({ plan, selectivity, hints }: QueryStrategy): Compiled =>
  compileRecords(plan, dialectFor(selectivity), hints);

/** Whether the page is quick enough for other statements to wait behind it. */
export const isPipelinable = ({ plan, selectivity }: QueryStrategy): boolean =>
  isSmallPage(plan) && (isSelective(plan, selectivity) || isFastOnPostgres(plan, plainDialect));

const dialectFor = (selectivity: Selectivity) => (selectivity === noSearch ? plainDialect : searchDialect(selectivity));
