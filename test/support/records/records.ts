// Random records in import form, generated from field kinds: any valid record, and crowds with repeated values, so that
// requests find some of them and sort orders have ties.
import fc from "fast-check";
import type { Field } from "../../../src/core/catalog/field.ts";
import type { Resource } from "../../../src/core/catalog/resource.ts";
import { seed } from "../budget.ts";
import type { RecordInput } from "../clients/api.ts";
import { moment, printed } from "../expected.ts";
import { codePoint } from "./code-points.ts";

export { seed };

type Style = {
  /** Values by field path, such as `stocks.name`, where the kind is too general. */
  readonly paths: Readonly<Record<string, fc.Arbitrary<unknown> | ((field: Field) => fc.Arbitrary<unknown>)>>;
  readonly kinds: Readonly<Record<string, (field: Field) => fc.Arbitrary<unknown>>>;
};

const pick = <T>(...values: readonly T[]): fc.Arbitrary<T> => fc.constantFrom(...values);
const withoutNul = (text: string): string => text.replaceAll("\0", "");

const nastyTexts = [
  "",
  " ",
  "  blanks at both ends  ",
  `"quotes" and 'quotes'`,
  "back\\slash \\u0041 \\n \\",
  "line\nfeed\r\nreturn\rtab\t",
  "😀 👩‍👩‍👧 𝒳",
  "\u2028\u2029\u0085\ufeff",
  "<p>Fish &amp; <b>chips</b></p> ]]> <!-- -->",
  "é and e\u0301",
  "\u0001\u001f\u007f\ufffe\uffff",
  "'; drop table news; --",
  "__proto__",
  "null",
  "%5B%00+",
  "שלום",
  "x".repeat(30_000),
];

const anyText = fc.oneof(
  pick(...nastyTexts),
  fc.string({ unit: codePoint, maxLength: 30 }).map(withoutNul),
  fc.string({ unit: "grapheme", maxLength: 30 }).map(withoutNul),
);

/** A prefix that doesn't split a surrogate pair. */
const cut = (text: string, most: number): string => text.slice(0, most).toWellFormed();

const digits = (min: number, max: number) => fc.string({ unit: pick(..."0123456789"), minLength: min, maxLength: max });
const anyDecimal = fc.oneof(
  pick("", "230", "230.00", "230.0000", "-0.50", "+.5", "000.10", "-0", "0", "102466000000.000", "9".repeat(60)),
  fc.tuple(pick("", "-", "+"), digits(1, 20), digits(1, 20)).map(([sign, whole, rest]) => `${sign}${whole}.${rest}`),
);
const anyDay = fc.oneof(
  pick("", "0001-01-01", "9999-12-31", "2024-02-29"),
  fc
    .date({ min: new Date(0), noInvalidDate: true, max: new Date("2100-01-01") })
    .map((d) => d.toISOString().slice(0, 10)),
);
const twoDigits = (max: number) => fc.nat({ max }).map((n) => String(n).padStart(2, "0"));
const zones = ["UTC", "America/New_York", "Asia/Kathmandu"];

const withFraction = (seconds: number): number => seconds + 0.75;

/** Timestamps in all import forms, with fractional seconds to be truncated. */
const anyInstant = fc
  .tuple(
    fc.oneof(fc.nat({ max: 2 ** 32 - 1 }), pick(0, 1, 2 ** 32 - 1, 1_730_613_599, 1_730_613_600)),
    pick(...zones),
    fc.nat({ max: 4 }),
  )
  .map(([seconds, zone, form]): unknown => {
    if (form === 0) return seconds;
    if (form === 1) return printed(zone, seconds);
    if (form === 4) return withFraction(seconds);
    const iso = moment(zone, seconds).toString({ timeZoneName: "never" });
    return form === 2 ? iso : iso.replace(/(:\d\d)([+-])/, "$1.987$2");
  });

const caseOf = (word: string) => pick(word, word.toLowerCase(), word.toUpperCase());

const any: Style = {
  paths: {
    country: pick("", "United States", "us", "DEU", "jp", "EMU", "Atlantis", "Côte d'Ivoire", " the Moon "),
    country_code: pick("", "USA", "emu", "CAN"),
    updated: ({ kind }) =>
      kind === "instant" ? anyInstant : fc.oneof(fc.maxSafeNat(), fc.nat(), fc.nat().map(withFraction)),
  },
  kinds: {
    text: ({ required, schema }) =>
      anyText.map((text) => cut(text, Number(schema.maxLength ?? text.length)) || (required ? "x" : "")),
    word: ({ allowedValues = [] }) => fc.oneof(...allowedValues.map(caseOf), pick("")),
    decimal: () => anyDecimal,
    day: ({ required }) => (required ? anyDay.map((day) => day || "2024-11-05") : anyDay),
    clock: () => fc.tuple(twoDigits(23), twoDigits(59), twoDigits(59)).map((parts) => parts.join(":")),
    integer: ({ range, required }) =>
      fc.oneof(fc.integer(range ?? {}), pick(range?.min ?? 0, range?.max ?? 1, ...(required ? [] : [0]))),
    flag: () => fc.boolean(),
    instant: () => anyInstant,
    cusip: () =>
      fc.oneof(
        fc.integer({ min: 0, max: 999_999_999 }),
        digits(9, 9),
        pick("", "037833100", "17275R102", "000000000", "12345", "x 1"),
      ),
    object: () =>
      fc.dictionary(fc.string({ unit: "grapheme" }), fc.jsonValue({ stringUnit: codePoint }), { maxKeys: 4 }),
    "list of text": () =>
      fc.array(
        anyText.map((text) => cut(text, 255)),
        { maxLength: 3 },
      ),
  },
};

/** Any record that may be imported: nasty values, unknown ones as null, as empty or missing, hidden attributes too. */
export function anyRecord(resource: Resource): fc.Arbitrary<RecordInput> {
  const made = anyRecords.get(resource) ?? recordIn(any, resource.fields, "");
  anyRecords.set(resource, made);
  return made;
}

/** Cached, since creating an arbitrary takes longer than creating a record. */
const anyRecords = new Map<Resource, fc.Arbitrary<RecordInput>>();

const vocabulary = [..."apple inc café naïve covid 19 3 5 straße ΟΔΥΣΣΕΥΣ 東京 market RATES_up AT&T".split(" ")];
const separators = [" ", " ", " ", "-", ", ", "/", "’s "];
const sentence = (max: number) =>
  fc
    .array(fc.tuple(pick(...vocabulary), pick(...separators)), { minLength: 1, maxLength: max })
    .map((parts) => parts.map(([word, separator], index) => (index === 0 ? word : separator + word)).join(""));
const blocks = [
  (text: string) => `<p>${text}</p>`,
  (text: string) => `<b>${text}</b> `,
  (text: string) => `${text}<br>`,
];
const html = fc
  .array(fc.tuple(sentence(4), pick(...blocks)), { maxLength: 4 })
  .map((parts) => parts.map(([text, block]) => block(text.replaceAll("&", "&amp;"))).join(""));
const tickers = pick("AAPL", "aapl", "BRK.B", "brk.b", "$BTC", "F", "Ω1");

/** Whole ranges that are small, else a few values in the middle of the allowed ones. */
function fewIntegers({ range }: Field): fc.Arbitrary<number> {
  const min = range !== undefined && range.min >= 0 ? range.min : 0;
  return fc.integer({ min, max: Math.min(range?.max ?? 5, min + 5) });
}

const crowded: Style = {
  paths: {
    ticker: fc.oneof(tickers, pick("")),
    "stocks.name": tickers,
    "stocks.isin": pick("", "US0378331005", "us0378331005", "CA0585861085"),
    "stocks.cusip": pick("", "037833100", "17275R102", "17275r102"),
    "channels.name": pick("News", "NEWS", "M&A", "Econ #s", "Analyst Ratings"),
    "channels.id": pick(1, 2, 3),
    "tags.name": sentence(2),
    title: sentence(4),
    regions: fc.array(pick("US", "usa", "Canada", "Europe", "EUROPE", "Nowhere  Land"), { maxLength: 2 }),
    country: pick("", "United States", "us", "DEU", "Euro Area", "Atlantis"),
    country_code: pick("", "USA", "EMU"),
    is_primary: pick("true", "Y", "yes", "1", "false", "", "No"),
  },
  kinds: {
    text: ({ heavy }) =>
      heavy ? html : pick("", "Alpha One", "alpha  one", "Béta & Co.", "gamma-3", "amc", "09:30:00"),
    word: ({ allowedValues = [] }) => fc.oneof(...allowedValues.slice(0, 4).map(caseOf), pick("")),
    decimal: () => pick("", "0.05", "0.0500", ".05", "10", "9", "-1", "-10.5", "0", "-0", "+2.50"),
    day: ({ required }) => pick("2024-11-04", "2024-11-05", "2024-11-06", "2025-02-28", ...(required ? [] : [""])),
    clock: () => pick("", "09:30:00", "09:30:01", "16:00:00"),
    integer: fewIntegers,
    stamp: fewIntegers,
    flag: () => fc.boolean(),
    // Around two midnights in New York: boundaries of days.
    instant: () => pick(...[-1, 0, 1, 60, 86_399, 86_400, 86_401].map((after) => 1_730_782_800 + after)),
    cusip: () => pick<unknown>("", 37_833_100, "037833100", "17275R102"),
    object: () => pick({}, { smart_score: "71.20" }),
    "list of text": () => fc.array(pick("a", "b"), { maxLength: 2 }),
  },
};

/** Text IDs that sort differently by code point, by UTF-16 unit, and ignoring case. */
const textId = fc.string({ unit: pick("a", "B", "_", "é", "\uff21", "😀", "𝒳", "1"), minLength: 1, maxLength: 5 });
const numberId = fc.oneof(fc.integer({ min: 1, max: 2000 }), fc.integer({ min: 2 ** 31 - 200, max: 2 ** 32 - 1 }));

const crowds = new Map<string, fc.Arbitrary<RecordInput[]>>();

/** Records with distinct IDs and otherwise few values. */
export function crowd(resource: Resource, count: number): fc.Arbitrary<RecordInput[]> {
  const name = `${resource.name} ${count}`;
  const made = crowds.get(name) ?? makeCrowd(resource, count);
  crowds.set(name, made);
  return made;
}

function makeCrowd(resource: Resource, count: number): fc.Arbitrary<RecordInput[]> {
  const id: fc.Arbitrary<unknown> = resource.fields.id?.column === "integer" ? numberId : textId;
  const { id: _, ...fields } = resource.fields;
  return fc
    .uniqueArray(fc.tuple(id, recordIn(crowded, fields, "")), {
      minLength: count,
      maxLength: count,
      selector: ([each]) => each,
    })
    .map((records) => records.map(([each, record]) => ({ ...record, id: each })));
}

function recordIn(style: Style, fields: Readonly<Record<string, Field>>, at: string): fc.Arbitrary<RecordInput> {
  const names = Object.keys(fields);
  const model = Object.fromEntries(
    names.map((name) => {
      const field = fields[name] as Field;
      const value = valueIn(style, field, `${at}${name}`);
      return [name, field.required ? value : fc.option(value, { freq: 8, nil: null })];
    }),
  );
  return fc.record(model, { requiredKeys: names.filter((name) => fields[name]?.required) });
}

function valueIn(style: Style, field: Field, path: string): fc.Arbitrary<unknown> {
  const known = style.paths[path];
  if (known !== undefined) return typeof known === "function" ? known(field) : known;
  if (field.kind === "list") return fc.array(recordIn(style, field.members ?? {}, `${path}.`), { maxLength: 3 });
  const made = style.kinds[field.kind];
  if (made === undefined) throw new Error(`say here what a ${field.kind} may be`);
  return made(field);
}

const samples = new WeakMap<fc.Arbitrary<unknown>, unknown>();

/** One value, deterministic for the seed. Created once; do not modify. */
export function sample<T>(values: fc.Arbitrary<T>): T {
  if (!samples.has(values)) samples.set(values, fc.sample(values, { seed, numRuns: 1 })[0]);
  return samples.get(values) as T;
}
