// Proposes a mapping for columns that a resource doesn't have, by their names and by what their values look like.
import type { Field } from "../../core/catalog/field.ts";
import { fieldOf, type Resource } from "../../core/catalog/resource.ts";
import { Mapper } from "./mapper.ts";
import { type MappingText, mergeMappings, parseMapping } from "./mapping.ts";
import type { ColumnProfile, Kind } from "./profile.ts";
import { plainName, synonyms } from "./synonyms.ts";

/** Values by which records of any resource are distinguished if they have no ID. */
const identifying = [
  ...[
    "title",
    "created",
    "ticker",
    "date",
    "period",
    "period_year",
    "event_name",
    "country",
    "analyst",
    "analyst_name",
  ],
  "dividend_type",
];

/** What is missing in a mapping for these columns; nothing if all are recognized. */
export function proposeMapping(
  resource: Resource,
  columns: readonly ColumnProfile[],
  current: MappingText,
): MappingText {
  const mapping = parseMapping(resource, current);
  const mapper = new Mapper(resource, mapping);
  const filled = new Set(mapping.set.keys());
  const open: ColumnProfile[] = [];
  for (const column of columns) {
    const use = mapper.use(column.name);
    if (use === "unknown") open.push(column);
    else if (use !== "ignored") for (const { name } of use) filled.add(name);
  }
  const map: string[] = [];
  const assign = (field: string, source: string) => {
    filled.add(field);
    map.push(`${field}=${source}`);
  };
  const ignore = open.filter((column) => !assignColumn(resource, column, filled, assign)).map(({ name }) => name);
  const [, split] = map.map((each) => /^date=(.+):date$/s.exec(each)).find((match) => match !== null) ?? [];
  if (split !== undefined && Object.hasOwn(resource.fields, "time") && !filled.has("time"))
    assign("time", `${split}:time`);
  const proposed: MappingText = { map, ignore };
  const isIdKnown = filled.has("id") || mapping.idFrom.length > 0;
  const idFrom = isIdKnown ? [] : identifying.filter((name) => filled.has(name));
  const withMap = parseMapping(resource, mergeMappings(current, proposed));
  const needsZone = mapping.zone === undefined && columns.some((column) => isLocalTime(resource, withMap, column));
  return { ...proposed, "id-from": idFrom, "stamps-in": needsZone ? "UTC" : undefined };
}

type Assign = (field: string, source: string) => void;

/** Whether a field was found for a column. */
function assignColumn(
  resource: Resource,
  { name, kind }: ColumnProfile,
  filled: ReadonlySet<string>,
  assign: Assign,
): boolean {
  const plain = plainName(name);
  const isFree = (field: string) => !filled.has(field) && fits(fieldOf(resource, field), kind);
  const names = Object.keys(resource.fields);
  const found =
    names.find((field) => plainName(field) === plain && isFree(field)) ??
    names.find((field) => synonyms[field]?.includes(plain) && isFree(field));
  if (found === undefined) return false;
  assign(found, fieldOf(resource, found).kind === "day" && kind.startsWith("timestamp") ? `${name}:date` : name);
  return true;
}

const fitting: Readonly<Record<string, readonly Kind[]>> = {
  integer: ["integer"],
  decimal: ["integer", "decimal"],
  flag: ["true or false", "integer"],
  day: ["day", "timestamp", "timestamp without a time zone"],
  clock: ["clock time"],
  instant: ["timestamp", "timestamp without a time zone", "integer"],
  list: ["list", "text", "ticker symbol"],
  "list of text": ["list"],
  object: ["object"],
};

const fits = (field: Field, kind: Kind): boolean => kind === "empty" || (fitting[field.kind]?.includes(kind) ?? true);

function isLocalTime(
  resource: Resource,
  { map }: ReturnType<typeof parseMapping>,
  { name, kind }: ColumnProfile,
): boolean {
  if (kind !== "timestamp without a time zone") return false;
  const targets = [...map].filter(([, { column }]) => column === name).map(([field]) => field);
  return [...targets, ...(Object.hasOwn(resource.fields, name) ? [name] : [])].some(
    (field) => fieldOf(resource, field).kind === "instant",
  );
}

/** A mapping as flags of a command. */
export function mappingFlags(mapping: MappingText): string[] {
  const idFrom = mapping["id-from"] ?? [];
  return [
    ...(mapping.map ?? []).map((each) => `--map ${shellWord(each)}`),
    ...(mapping.set ?? []).map((each) => `--set ${shellWord(each)}`),
    ...(mapping.ignore ?? []).map((each) => `--ignore ${shellWord(each)}`),
    ...(mapping["ignore-unknown"] ? ["--ignore-unknown"] : []),
    ...(idFrom.length > 0 ? [`--id-from ${shellWord(idFrom.join(","))}`] : []),
    ...(mapping["stamps-in"] === undefined ? [] : [`--stamps-in ${shellWord(mapping["stamps-in"])}`]),
  ];
}

export const shellWord = (text: string): string =>
  /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
