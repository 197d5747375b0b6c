// How a plan is best carried out on PostgreSQL where only the data can tell, and the statements for it.
import type { Plan } from "../../../core/query/plan.ts";
import { accessPath, type Hints } from "../../sql/access-path.ts";
import { compilePage, compileRecords } from "../../sql/compile.ts";
import type { Compiled } from "../../sql/dialect.ts";
import { isQuick, isSmall } from "../../sql/index-scan.ts";
import type { PageOptions } from "../../store.ts";
import { type Gathering, nothingGathered, postgres, unsearched } from "../dialect.ts";
import type { Query } from "../pool/pool.ts";
import { isOfSeveral } from "./multi-value-scan.ts";
import { gatherings, isRare } from "./term-selectivity.ts";

export type Way = { readonly plan: Plan; readonly gathering: Gathering; readonly hints: Hints };

/** The data are looked at by a query; what they tell of words is remembered for a while. `now` is in Unix seconds. */
export function ways(now: () => number): (query: Query, plan: Plan) => Promise<Way> {
  const gatheringFor = gatherings(now);
  return async (query, plan) => {
    const gathering = await gatheringFor(query, plan);
    if (isOfSeveral(plan)) return { plan, gathering, hints: { path: undefined, isPastEnd: false } };
    const hints = await accessPath(plan, dialectFor(gathering), async ({ sql, parameters }) => {
      const [row] = await query(sql, ...parameters);
      return row;
    });
    return { plan, gathering, hints };
  };
}

export const pageBy = ({ plan, gathering, hints }: Way, wish?: PageOptions): Compiled =>
  compilePage(plan, dialectFor(gathering), hints, wish);

export const recordsBy = ({ plan, gathering, hints }: Way): Compiled =>
  compileRecords(plan, dialectFor(gathering), hints);

/** Whether others may wait behind its page. */
export const isShared = ({ plan, gathering }: Way): boolean =>
  isSmall(plan) && (isRare(plan, gathering) || isQuick(plan, unsearched));

const dialectFor = (gathering: Gathering) => (gathering === nothingGathered ? unsearched : postgres(gathering));
