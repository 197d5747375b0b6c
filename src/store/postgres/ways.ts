// How a plan is best carried out on PostgreSQL where only the data can tell, and the statements for it.
import type { Plan } from "../../core/plan.ts";
import type { Compiled, Hints } from "../dialect.ts";
import { compilePage, compileRecords, tableOf } from "../sql.ts";
import type { Wish } from "../store.ts";
import { isQuick, isSmall, keyDirection } from "../walks.ts";
import type { Query } from "./database.ts";
import { type Gathering, nothingGathered, postgres, unsearched } from "./dialect.ts";
import { gatherings, isRare } from "./gatherings.ts";
import { rareTopic } from "./rare-topic.ts";

/** A link that names more records than this is common: walking the order finds a page sooner than sorting them. */
const rareLink = 4000;

export type Way = { readonly plan: Plan; readonly gathering: Gathering; readonly hints: Hints };

/** The data are looked at by a query; what they tell of words is remembered for a while. `now` is in Unix seconds. */
export function ways(now: () => number): (query: Query, plan: Plan) => Promise<Way> {
  const gatheringFor = gatherings(now);
  return async (query, plan) => {
    const gathering = await gatheringFor(query, plan);
    const beginWithLink = needsNoLook(plan) || (await isRareLink(query, plan));
    return { plan, gathering, hints: { beginWithLink } };
  };
}

export const pageBy = ({ plan, gathering, hints }: Way, wish?: Wish): Compiled =>
  rareTopic(plan, gathering, wish) ?? compilePage(plan, dialectFor(gathering), hints, wish);

export const recordsBy = ({ plan, gathering, hints }: Way): Compiled =>
  compileRecords(plan, dialectFor(gathering), hints);

/** Whether others may wait behind its page. */
export const isShared = ({ plan, gathering }: Way): boolean =>
  isSmall(plan) && (isRare(plan, gathering) || isQuick(plan, unsearched));

const dialectFor = (gathering: Gathering) => (gathering === nothingGathered ? unsearched : postgres(gathering));

const linkOf = ({ where }: Plan) => where.find((condition) => condition.op === "linked");

/** The keys of a link stand in their own order, however many they are. */
const needsNoLook = (plan: Plan): boolean => linkOf(plan) === undefined || keyDirection(plan) !== undefined;

async function isRareLink(query: Query, plan: Plan): Promise<boolean> {
  const { kind, values } = linkOf(plan) ?? {};
  const sql = `select count(*) as n from (select 1 from ${tableOf(plan.resource)}_link where kind = $1 and value = any($2) limit ${rareLink}) q`;
  const [row] = await query(sql, kind, values);
  return Number(row?.n) < rareLink;
}
