// A page of words that are rare in every place, and nothing else asked for, on PostgreSQL: a statement of its own, since
// what the general one needs for words that may be common takes a tenth of its time. Its text is made once.
import type { Plan } from "../../core/query/plan.ts";
import { tableOf, textOf } from "../sql/compile.ts";
import type { Compiled, Search } from "../sql/dialect.ts";
import { keyDirection } from "../sql/index-scan.ts";
import { jsonOf } from "../sql/record-fragments.ts";
import type { Wish } from "../store.ts";
import { type Gathering, inTurn, isOfWords, wordQuery } from "./dialect.ts";
import { isRare } from "./planner/term-selectivity.ts";

/** Undefined where the general statement must do. */
export function rareTopic(plan: Plan, gathering: Gathering, { reshape }: Wish = {}): Compiled | undefined {
  const [search, ...others] = plan.where;
  const isPlain = others.length === 0 && plan.after === undefined && (reshape?.derived ?? []).length === 0;
  if (!plan.ranked || !isPlain || search?.op !== "search" || !isOfWords(search) || !isRare(plan, gathering))
    return undefined;
  const direction = keyDirection(plan);
  return direction && { sql: textFor(plan, direction), parameters: parametersOf(plan, search) };
}

/** As `textOfPage` takes them. */
function parametersOf({ resource, limit, offset }: Plan, search: Search): unknown[] {
  const places = Object.keys(resource.places).length;
  const parameters: unknown[] = [];
  for (let place = 0; place < places; place++) parameters.push(wordQuery(search, places, place));
  parameters.push(limit, offset);
  return parameters;
}

const texts = new WeakMap<Plan["resource"], Map<string, string>>();

function textFor(plan: Plan, direction: "asc" | "desc"): string {
  const known = texts.get(plan.resource) ?? new Map<string, string>();
  texts.set(plan.resource, known);
  const name = `${direction} ${plan.filled}`;
  let text = known.get(name);
  if (text === undefined) {
    text = textOfPage(plan, direction);
    known.set(name, text);
  }
  return text;
}

/** Parameters are the query of each place, then limit and offset. */
function textOfPage(plan: Plan, direction: "asc" | "desc"): string {
  const table = tableOf(plan.resource);
  const places = [...Object.keys(plan.resource.places).keys()];
  // One arm a place, run in turn until the page is full. With `offset 0` the planner can't walk the whole order in the
  // hope of a word that it believes to be found often.
  const arms = places.map((place) => {
    const found = `select s.key from ${table}_search s where s.words @@ $${place + 1}::tsquery and ${inTurn} > 0 offset 0`;
    return `select key, ${place} as place from (select key from (${found}) f order by key ${direction}) a${place}`;
  });
  const page = `limit $${places.length + 1} offset $${places.length + 2}`;
  const keys = `select key, place from (${arms.join(" union all ")}) a ${page}`;
  // Joined, the records would have to be sorted once more.
  const json = `(select ${jsonOf(plan, "r")} from ${table} r${textOf(plan, "r")} where r.key = k.key)`;
  // The last row tells where the page ends; else that would be read from its JSON.
  const last = "max(k.place) as place, (array_agg(k.key))[count(*)]::text as key";
  return `select coalesce(string_agg(${json}, ','), '') as page, count(*) as found, ${last} from (${keys}) k`;
}
