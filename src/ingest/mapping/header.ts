// Checks the columns of a file against a mapping, so that a mistake in the header is reported once and not per record.
import { fieldOf, type Resource } from "../../core/catalog/resource.ts";
import type { Mapper } from "./mapper.ts";
import { fieldNamed, type Mapping } from "./mapping.ts";

export type HeaderCheck = {
  /** Why nothing can be read. */
  readonly fatal: string | undefined;
  /** Why records are rejected. */
  readonly problems: readonly string[];
  /** Attributes that these problems concern. */
  readonly attributes: ReadonlySet<string>;
  readonly notices: readonly string[];
};

const quoted = (names: readonly string[]): string => names.map((name) => JSON.stringify(name)).join(", ");

export function checkHeader(
  resource: Resource,
  mapping: Mapping,
  mapper: Pick<Mapper, "use">,
  columns: readonly string[],
): HeaderCheck {
  const uses = columns.map((column) => ({ column, use: mapper.use(column) }));
  const filled = new Set([...mapping.set.keys(), ...(mapping.idFrom.length > 0 ? ["id"] : [])]);
  for (const { use } of uses) if (typeof use === "object") for (const { name } of use) filled.add(name);
  const unknown = uses.filter(({ use }) => use === "unknown").map(({ column }) => column);
  const overridden = unknown.filter((column) => fieldNamed(resource, column) !== undefined);
  const foreign = unknown.filter((column) => !overridden.includes(column));
  const missing = Object.keys(resource.fields).filter((name) => fieldOf(resource, name).required && !filled.has(name));
  const indexes = uses.filter(({ column, use }) => use === "ignored" && isUnasked(mapping, column));
  return {
    fatal: fatalProblem(resource, mapping, columns, filled),
    problems: [
      ...(foreign.length > 0
        ? [
            `${resource.name} has no ${foreign.length === 1 ? "attribute" : "attributes"} ${quoted(foreign)}: map each with --map FIELD=COLUMN, or drop it with --ignore COLUMN; --check proposes flags`,
          ]
        : []),
      ...overridden.map(
        (column) => `the column ${quoted([column])} and a mapping fill the same field: drop one with --ignore COLUMN`,
      ),
      ...(missing.length > 0
        ? [`no column for ${missing.join(", ")}, which ${missing.length === 1 ? "is" : "are"} required`]
        : []),
    ],
    attributes: new Set([...unknown, ...missing]),
    notices: indexes.map(({ column }) => `the column ${quoted([column])} has no name and is ignored`),
  };
}

/** Columns that are ignored although no flag says so: the index of a data frame. */
const isUnasked = ({ ignore, ignoreUnknown, idFrom }: Mapping, column: string): boolean =>
  !ignoreUnknown && !ignore.has(column) && !idFrom.includes(column);

/** A mistyped column would silently leave values out, and give all records the same ID. */
function fatalProblem(
  resource: Resource,
  { map, idFrom }: Mapping,
  columns: readonly string[],
  filled: ReadonlySet<string>,
): string | undefined {
  const isFilled = (name: string) => filled.has(fieldNamed(resource, name) ?? "");
  const absent = [
    ...[...map].filter(([, { column }]) => !columns.includes(column)).map(([, { column }]) => ["--map", column]),
    ...idFrom.filter((name) => !columns.includes(name) && !isFilled(name)).map((name) => ["--id-from", name]),
  ];
  if (absent.length === 0) return undefined;
  const named = absent.map(([flag, column]) => `${flag} names ${JSON.stringify(column)}`).join(", ");
  return `${named}, but the columns are ${quoted(columns)}`;
}
