// Column mappings: which attribute of a record comes from which column of a file, parsed from flags or a mapping file.
import { fieldOf, type Resource } from "../../core/catalog/resource.ts";
import { UsageError } from "../../core/user-error.ts";
import { type Zone, zone } from "../../core/value/time-zone.ts";

/** A column, or the day or clock time of a timestamp in it. */
export type Source = { readonly column: string; readonly part?: "date" | "time" };

export type Mapping = {
  /** Sources by field. */
  readonly map: ReadonlyMap<string, Source>;
  /** Values by field, for records that have none. */
  readonly set: ReadonlyMap<string, string>;
  /** Columns that are dropped. */
  readonly ignore: ReadonlySet<string>;
  readonly ignoreUnknown: boolean;
  /** Fields or columns that IDs are derived from. */
  readonly idFrom: readonly string[];
  /** The time zone of timestamps that have none. */
  readonly zone: Zone | undefined;
};

/** In the form of a mapping file; flags have the same names and forms. */
export type MappingText = {
  readonly map?: readonly string[];
  readonly set?: readonly string[];
  readonly ignore?: readonly string[];
  readonly "ignore-unknown"?: boolean;
  readonly "id-from"?: readonly string[];
  readonly "stamps-in"?: string | undefined;
};

/** Throws a UsageError that names the flag. */
export function parseMapping(resource: Resource, text: MappingText): Mapping {
  const zoneName = text["stamps-in"];
  const found = zoneName === undefined ? undefined : zone(zoneName);
  if (zoneName !== undefined && found === undefined)
    throw new UsageError(`--stamps-in: expected a time zone such as Europe/Berlin, got "${zoneName}"`);
  return {
    map: new Map(
      (text.map ?? []).map((each) => {
        const [field, column] = assignment(resource, "map", "COLUMN", each);
        return [field, sourceOf(column)];
      }),
    ),
    set: new Map((text.set ?? []).map((each) => assignment(resource, "set", "VALUE", each))),
    ignore: new Set(text.ignore ?? []),
    ignoreUnknown: text["ignore-unknown"] ?? false,
    idFrom: text["id-from"] ?? [],
    zone: found,
  };
}

function assignment(resource: Resource, flag: string, what: string, text: string): [field: string, value: string] {
  const at = text.indexOf("=");
  const [name, value] = [text.slice(0, Math.max(at, 0)).trim(), text.slice(at + 1)];
  if (at === -1 || name === "" || value === "")
    throw new UsageError(`--${flag}: expected FIELD=${what}, got "${text}"`);
  const field = fieldNamed(resource, name);
  if (field !== undefined) return [field, value];
  const names = [...Object.keys(resource.fields), ...Object.keys(resource.aliases)].sort().join(", ");
  throw new UsageError(`--${flag}: ${resource.name} has no field "${name}"; its fields: ${names}`);
}

/** The field with a name or alias. */
export function fieldNamed({ fields, aliases }: Resource, name: string): string | undefined {
  if (Object.hasOwn(fields, name)) return name;
  return Object.hasOwn(aliases, name) ? aliases[name] : undefined;
}

function sourceOf(text: string): Source {
  const [, column, part] = /^(.+):(date|time)$/s.exec(text) ?? [];
  return column === undefined ? { column: text } : { column, part: part as "date" | "time" };
}

const isMap = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Reads a mapping file: JSON with the names of the flags, `map` and `set` as objects. */
export function parseMappingFile(name: string, content: string): MappingText {
  const expected = '{"map": {"title": "headline"}, "set": {…}, "ignore": […], "id-from": […], "stamps-in": "…"}';
  const fail = (got: string): never => {
    throw new UsageError(`--mapping: "${name}": expected ${expected}, got ${got}`);
  };
  let parsed: unknown;
  try {
    parsed = JSON.parse(content);
  } catch {
    fail("text that is not JSON");
  }
  if (!isMap(parsed)) return fail("something other than an object");
  const pairs = (key: string): string[] => {
    const value = (parsed as Record<string, unknown>)[key] ?? {};
    return isMap(value)
      ? Object.entries(value).map(([field, each]) => `${field}=${asText(each)}`)
      : fail(`another "${key}"`);
  };
  const list = (key: string): string[] => {
    const value = (parsed as Record<string, unknown>)[key] ?? [];
    return Array.isArray(value) && value.every((each) => typeof each === "string") ? value : fail(`another "${key}"`);
  };
  const known = ["map", "set", "ignore", "ignore-unknown", "id-from", "stamps-in"];
  const unknown = Object.keys(parsed).find((key) => !known.includes(key));
  if (unknown !== undefined) return fail(`"${unknown}"`);
  const { "ignore-unknown": ignoreUnknown = false, "stamps-in": stampsIn } = parsed;
  if (typeof ignoreUnknown !== "boolean") return fail('another "ignore-unknown"');
  if (stampsIn !== undefined && typeof stampsIn !== "string") return fail('another "stamps-in"');
  return {
    map: pairs("map"),
    set: pairs("set"),
    ignore: list("ignore"),
    "ignore-unknown": ignoreUnknown,
    "id-from": list("id-from"),
    "stamps-in": stampsIn,
  };
}

const asText = (value: unknown): string => (typeof value === "string" ? value : JSON.stringify(value));

/** Flags add to a mapping file and take precedence over it. */
export const mergeMappings = (file: MappingText, flags: MappingText): MappingText => ({
  map: [...(file.map ?? []), ...(flags.map ?? [])],
  set: [...(file.set ?? []), ...(flags.set ?? [])],
  ignore: [...(file.ignore ?? []), ...(flags.ignore ?? [])],
  "ignore-unknown": flags["ignore-unknown"] || file["ignore-unknown"] || false,
  "id-from": flags["id-from"]?.length ? flags["id-from"] : (file["id-from"] ?? []),
  "stamps-in": flags["stamps-in"] ?? file["stamps-in"],
});

/** Whether a mapping changes anything: the file is then in another form than ours. */
export const isMapped = ({ map, set, ignore, ignoreUnknown, idFrom, zone }: Mapping): boolean =>
  map.size + set.size + ignore.size + idFrom.length > 0 || ignoreUnknown || zone !== undefined;

/** A constant of the mapping, as a value of its field. */
export const constant = (resource: Resource, name: string, text: string): unknown =>
  fieldOf(resource, name).fromCsv(text);
