// Requests derived from a resource's rules: the widest one, and random ones with values from the records.
import assert from "node:assert/strict";
import fc from "fast-check";
import type { Parameter } from "../../../src/core/catalog/parameter.ts";
import type { Resource } from "../../../src/core/catalog/resource.ts";
import { cursorAt } from "../../../src/core/query/cursor.ts";
import { matches, positionOf } from "../../../src/core/query/evaluate.ts";
import { type ParsedQuery, parseListQuery } from "../../../src/core/query/planner.ts";
import { parseQuery } from "../../../src/core/query/query-string.ts";
import type { Row } from "../../../src/core/record/row.ts";
import { validateRecord } from "../../../src/core/record/validate.ts";
import { zone } from "../../../src/core/value/time-zone.ts";
import { type RecordInput, testNow } from "../clients/api.ts";
import { firstLook, moment } from "../expected.ts";

/** A name and a value before encoding. */
export type Pair = readonly [name: string, value: string];

export const inputsOf = (resource: Resource): Parameter<unknown>[] =>
  resource.rules.flatMap((rule) => Object.values(rule.parameters));

/** Valid values of a parameter in a request without others. */
export function goodOf(resource: Resource, input: Parameter<unknown>): readonly string[] {
  const plan = input.opaque ? planOf(resource) : undefined;
  return plan === undefined ? input.valid : [cursorAt(plan, positionOf(plan, exampleOf(resource)))];
}

/** A record made of the examples of its fields, as a row. */
function exampleOf(resource: Resource): Row {
  const known = Object.entries(resource.fields).map(([name, { example }]) => [name, example]);
  return rowsOf(resource, [Object.fromEntries(known)])[0] ?? assert.fail("there is one");
}

export const encodeName = (name: string): string =>
  encodeURIComponent(name).replaceAll("%5B", "[").replaceAll("%5D", "]");

export function urlOf(resource: Resource, pairs: readonly Pair[]): string {
  const query = pairs.map(([name, value]) => `${encodeName(name)}=${encodeURIComponent(value)}`).join("&");
  return query === "" ? resource.path : `${resource.path}?${query}`;
}

const context = () => ({ zone: zone(firstLook.zone) as NonNullable<ReturnType<typeof zone>> });

/** The parsed request; undefined if it is invalid. */
export function parseUrl(resource: Resource, url: string): ParsedQuery | undefined {
  const { query, errors } = parseQuery(url.slice(resource.path.length + 1));
  const reading = parseListQuery(resource, query, context());
  return "ok" in reading && errors.length === 0 ? reading.ok : undefined;
}

const planOf = (resource: Resource, ...pairs: Pair[]) => parseUrl(resource, urlOf(resource, pairs))?.plan;

/** Records as rows, as imported at the time of tests. */
export const rowsOf = (resource: Resource, records: readonly RecordInput[]): Row[] =>
  records.map((record) => {
    const accepted = validateRecord(resource, record, testNow);
    assert.ok("row" in accepted, "a random record was rejected");
    return accepted.row;
  });

const widestKnown = new Map<Resource, readonly Pair[]>();

/** The request that returns the most: no filter, the largest page, every field filled. */
export function widest(resource: Resource): readonly Pair[] {
  const found = widestKnown.get(resource) ?? makeWidest(resource);
  widestKnown.set(resource, found);
  return found;
}

function makeWidest(resource: Resource): Pair[] {
  const base = planOf(resource);
  return inputsOf(resource).flatMap(({ names, valid, fallback }): Pair[] => {
    if (fallback === undefined) return [];
    const width = (value: string): number => {
      const plan = planOf(resource, [names[0], value]);
      if (plan === undefined || base === undefined || plan.offset > 0) return -1;
      return (base.where.length - plan.where.length) * 1e6 + plan.include.length * 1e5 + plan.limit;
    };
    const best = valid.toSorted((a, b) => width(b) - width(a))[0];
    return best === undefined || width(best) < 0 ? [] : [[names[0], best]];
  });
}

/** Values of a parameter: those that occur in records, and those that rarely or never do. */
type Wording = {
  readonly input: Parameter<unknown>;
  readonly found: readonly string[];
  readonly rare: readonly string[];
};

/** By records, and the names of the parameters: a stream of the same records has fewer. */
const known = new WeakMap<readonly RecordInput[], Map<string, Wording[][]>>();

function wordings(resource: Resource, records: readonly RecordInput[], rows: readonly Row[]): Wording[][] {
  const byNames = known.get(records) ?? new Map<string, Wording[][]>();
  known.set(records, byNames);
  const names = inputsOf(resource)
    .flatMap((input) => input.names)
    .join();
  const found = byNames.get(names) ?? makeWordings(resource, records, rows);
  byNames.set(names, found);
  return found;
}

function makeWordings(resource: Resource, records: readonly RecordInput[], rows: readonly Row[]): Wording[][] {
  // A few records contain nearly all values.
  const [some, someRows] = [records.slice(0, 30), rows.slice(0, 30)];
  const candidates = [...new Set([...some.flatMap(textsOf), ...someRows.flatMap(momentsOf)])];
  const defaultPlan = planOf(resource);
  const defaultWhere = JSON.stringify(defaultPlan?.where);
  const worded = (input: Parameter<unknown>): Wording => {
    const once = planOf(resource, [input.names[0], "1"]);
    // Known by what they do, not by name. Deep pages are empty pages, so most are shallow.
    if (once !== undefined && once.offset !== defaultPlan?.offset)
      return { input, found: ["0", "0", "0", "1", "2", "07"], rare: input.valid };
    if (once !== undefined && once.limit !== defaultPlan?.limit)
      return { input, found: ["1", "2", "7", "020", "100"], rare: input.valid };
    const found = candidates.filter((value) => {
      // Most values are invalid for most parameters.
      const plan = decodes(input, value) ? planOf(resource, [input.names[0], value]) : undefined;
      if (plan === undefined || JSON.stringify(plan.where) === defaultWhere) return false;
      return someRows.some((row) => matches(plan, row));
    });
    return found.length === 0
      ? { input, found: input.valid, rare: input.valid }
      : {
          input,
          found,
          rare: [...input.valid, "Nobody 1", "2031-05-05", "7.77"].filter((text) => decodes(input, text)),
        };
  };
  // Opaque values can be sent only after a response has returned them. Other formats than JSON have their own laws.
  const isFilter = ({ opaque, forOtherFormats }: Parameter<unknown>) =>
    opaque === undefined && forOtherFormats === undefined;
  const inputs = resource.rules.map((rule) => Object.values(rule.parameters).filter(isFilter));
  return inputs.filter((each) => each.length > 0).map((each) => each.map(worded));
}

const decodes = (input: Parameter<unknown>, text: string): boolean => input.parse(text.trim()) !== undefined;

/** Every text and number of a record, and the words and word pairs in its texts. */
function textsOf(value: unknown): string[] {
  if (typeof value === "number") return [String(value)];
  if (typeof value === "string") {
    const parts = value.replace(/<[^>]*>/g, " ").split(/\s+/);
    return [value, ...parts, ...parts.slice(1).map((part, index) => `${parts[index]} ${part}`)].filter(
      (text) => text.length < 100,
    );
  }
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(textsOf) : [];
}

/** Days of the timestamps in a row, in the service's time zone: nothing else in it is a day. */
const momentsOf = (row: Row): string[] =>
  Object.values(row)
    .filter((value) => typeof value === "number" && value > 1_000_000_000 && value < 2 ** 32)
    .flatMap((seconds) => [
      moment(firstLook.zone, seconds as number)
        .toPlainDate()
        .toString(),
      String(seconds),
    ]);

/** Every parameter with each of its values: valid examples, and those that occur in records. */
export const pairs = (resource: Resource, records: readonly RecordInput[], rows: readonly Row[]): Pair[] =>
  wordings(resource, records, rows)
    .flat()
    .flatMap(({ input, found, rare }) => [...found, ...rare].map((value): Pair => [input.names[0], value]));

const encodings = [
  (text: string) => encodeURIComponent(text),
  (text: string) => encodeURIComponent(text).replaceAll("%20", "+"),
  (text: string) => `+${encodeURIComponent(text)}%20`,
];

/** The size of random requests. */
export type Breadth = {
  /** Maximum number of rules. */
  readonly rules: number;
  /** Numbers of list members, equally likely. */
  readonly members: readonly fc.Arbitrary<number>[];
  /** More values of an input, by its first name, as likely as those from records. */
  readonly more: Readonly<Record<string, readonly string[]>>;
};

const usual: Breadth = { rules: 5, members: [fc.integer({ min: 1, max: 3 })], more: {} };

/** URLs with parameters of several rules; invalid ones are reduced until they are valid. */
export function requests(
  resource: Resource,
  records: readonly RecordInput[],
  rows: readonly Row[],
  { rules: mostRules, members, more }: Breadth = usual,
): fc.Arbitrary<string> {
  const rules = wordings(resource, records, rows);
  const value = ({ found, rare, input }: Wording): fc.Arbitrary<string> => {
    const own = fc.oneof({ weight: 12, arbitrary: fc.constantFrom(...found) }, fc.constantFrom(...rare));
    const others = more[input.names[0]] ?? [];
    const one = others.length === 0 ? own : fc.oneof(own, fc.constantFrom(...others));
    if (!input.isBlank(",")) return one;
    return fc
      .oneof(...members)
      .chain((length) => fc.array(one, { minLength: length, maxLength: length }))
      .map((values) => values.join(","));
  };
  const parameter = (wording: Wording): fc.Arbitrary<string> =>
    fc
      .tuple(fc.constantFrom(...wording.input.names), value(wording), fc.nat({ max: 8 }), fc.boolean())
      .map(([name, text, style, raw]) => {
        const encode = encodings[style] ?? encodeURIComponent;
        return `${raw ? encodeName(name) : encodeURIComponent(name)}=${encode(text)}`;
      });
  // Rules with several inputs are more error-prone, so they are chosen more often.
  const weighted = rules.flatMap((rule, index) => Array<number>(rule.length > 1 ? 4 : 1).fill(index));
  const parametersOf = (rule: readonly Wording[]): fc.Arbitrary<string[]> =>
    fc.subarray([...rule], { minLength: 1 }).chain((inputs) => fc.tuple(...inputs.map(parameter)));
  return fc
    .uniqueArray(fc.constantFrom(...weighted), { minLength: 1, maxLength: mostRules })
    .chain((chosen) => fc.tuple(...chosen.map((index) => parametersOf(rules[index] ?? []))))
    .map((parts) => settled(resource, parts.flat()));
}

function settled(resource: Resource, pairs: readonly string[]): string {
  const url = (list: readonly string[]) => (list.length === 0 ? resource.path : `${resource.path}?${list.join("&")}`);
  if (parseUrl(resource, url(pairs)) !== undefined) return url(pairs);
  const smaller = pairs.map((_, index) => pairs.toSpliced(index, 1));
  return settled(resource, smaller.findLast((list) => parseUrl(resource, url(list)) !== undefined) ?? pairs.slice(1));
}
