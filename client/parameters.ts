// Requests of a list: parameters in any spelling, as a path with a query.

export type ListSpec = {
  readonly path: string;
  /** The key of the response that holds the records, unless it is an array. */
  readonly key?: string;
  /** Wire names, separated by spaces. */
  readonly parameters: string;
  /** Default and maximum number of records on a page. */
  readonly size?: readonly [number, number];
  /** Whether pages are known by number only. */
  readonly numbered?: boolean;
  /** Wire names of the parameters of a single record. */
  readonly item?: string;
  readonly poll?: PollSpec;
};

/** How to find changes without a stream. */
export type PollSpec = {
  readonly resource: string;
  readonly since: string;
  readonly column: string;
  /** The list of removed records, and its parameter. */
  readonly removed?: string;
  readonly removedSince?: string;
  readonly type?: string;
};

export type Parameters = Readonly<Record<string, unknown>>;

/** The same for `dateFrom`, `date_from`, and `parameters[date_from]`. */
const lettersOf = (name: string): string =>
  name
    .replace(/^parameters\[(.+)\]$/, "$1")
    .replaceAll("_", "")
    .toLowerCase();

/** By wire name, without values that are absent. */
export function toQuery({ path, parameters: names }: ListSpec, parameters: Parameters): Map<string, string> {
  const known = new Map(names.split(" ").map((name) => [lettersOf(name), name]));
  const query = new Map<string, string>();
  for (const [name, value] of Object.entries(parameters)) {
    if (value === undefined || value === null) continue;
    const wireName = known.get(lettersOf(name));
    if (wireName === undefined) throw new TypeError(`${path} has no parameter ${name}; it has: ${names}`);
    if (query.has(wireName)) throw new TypeError(`${name} was passed twice, in two spellings`);
    query.set(wireName, toText(name, value));
  }
  return query;
}

function toText(name: string, value: unknown): string {
  if (value instanceof Date) return String(Math.floor(value.getTime() / 1000));
  if (!Array.isArray(value)) return String(value);
  const divided = value.find((member) => String(member).includes(","));
  if (divided !== undefined)
    throw new TypeError(`${name}: a member of a list can't contain a comma, received ${JSON.stringify(divided)}`);
  return value.join(",");
}

/** Sorted, so that equal requests have equal URLs. */
export function toTarget(path: string, query: ReadonlyMap<string, string>): string {
  const rest = new Map(query);
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = rest.get(name) ?? "";
    // Nothing and `.` would be the list itself, `..` its parent.
    if (/^\.{0,2}$/.test(value)) throw new TypeError(`${path} needs the parameter ${name}, received "${value}"`);
    rest.delete(name);
    return encodeURIComponent(value);
  });
  const pairs = [...rest].map((pair) => pair.map(encodeURIComponent).join("=")).sort();
  return pairs.length === 0 ? filled : `${filled}?${pairs.join("&")}`;
}
