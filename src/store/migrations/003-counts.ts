// Tables of how many records each period of a resource holds, filled from the records that are there. Frozen.
import type { Migration } from "../migrate.ts";

type Counts = {
  readonly table: string;
  /** A record's place in the order as text; a period is named by its first characters. */
  readonly place: string;
  readonly lengths: readonly number[];
  /** The name of each group of records that is counted, and the condition that its records meet. */
  readonly groups: readonly { readonly name: string; readonly test: string }[];
};

const importances = (most: number) =>
  Array.from({ length: most + 1 }, (_, least) => ({ name: `_${least}`, test: `importance >= ${least}` }));

const days = { place: "date", lengths: [4, 7, 10] };

const counts: readonly Counts[] = [
  {
    table: "news",
    // The second in the high half of the key, in ten digits.
    place: "substr(cast((key >> 32) + 12147483648 as text), 2)",
    lengths: [3, 5, 6],
    groups: [{ name: "", test: "true" }],
  },
  { table: "ratings", ...days, groups: importances(5) },
  { table: "dividends", ...days, groups: importances(5) },
  {
    table: "guidance",
    ...days,
    groups: importances(5).flatMap(({ name, test }) =>
      [0, 1].map((primary) => ({ name: `${name}_${primary}`, test: `${test} and is_primary >= ${primary}` })),
    ),
  },
  { table: "earnings", ...days, groups: importances(5) },
  { table: "economics", ...days, groups: importances(3) },
  { table: "conference_calls", ...days, groups: [{ name: "", test: "true" }] },
];

const lines = (parts: readonly string[]): string => parts.join(",\n      ");

function create({ table, groups }: Counts, text: string, integer: string, options: string): string {
  const columns = [
    `parent ${text} not null`,
    `period ${text} not null`,
    ...groups.map(({ name }) => `n${name} ${integer} not null`),
    ...groups.map(({ name }) => `earlier${name} ${integer} not null`),
    "primary key (parent, period)",
  ];
  return `create table ${table}_count (\n      ${lines(columns)}\n    )${options}`;
}

/** Both databases read this alike. */
function fill({ table, place, lengths, groups }: Counts): string {
  const held = groups.map(({ name }) => `n${name}`);
  const finest = `select substr(${place}, 1, ${lengths.at(-1)}) as place,
      ${lines(groups.map(({ name, test }) => `count(*) filter (where ${test}) as n${name}`))}
      from ${table} group by 1`;
  const steps = lengths.map(
    (length, step) =>
      `select substr(place, 1, ${lengths[step - 1] ?? 0}) as parent, substr(place, 1, ${length}) as period,
      ${lines(held.map((name) => `sum(${name}) as ${name}`))}
      from finest group by 1, 2`,
  );
  return `insert into ${table}_count
      with finest as (${finest}),
      periods as (${steps.join("\n      union all ")})
      select parent, period, ${held.join(", ")},
      ${lines(held.map((name) => `coalesce(sum(${name}) over siblings, 0)`))}
      from periods
      window siblings as (partition by parent order by period rows between unbounded preceding and 1 preceding)`;
}

const script = (text: string, integer: string, options: string): string =>
  counts.flatMap((each) => [create(each, text, integer, options), fill(each), ""]).join(";\n    ");

export const countTables: Migration = {
  name: "003-counts",
  sqlite: script("text", "integer", " strict, without rowid"),
  // Nobody writes records while they are counted: this is the lock of writers. Rows that are changed again and again stay
  // on their page by the fill factor, which keeps table and index small.
  postgres: `select pg_advisory_xact_lock(1651965954);
    ${script('text collate "C"', "bigint", " with (fillfactor = 45)")}`,
};
