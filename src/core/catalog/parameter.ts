// Request parameters: how a query value is parsed and documented, with valid and invalid values for the tests.
import type { Format } from "../output/format.ts";
import { normalizeName } from "../text/normalize.ts";
import { isDecimal, maxDecimalLength } from "../value/decimal.ts";
import { isDay } from "../value/time-zone.ts";
import type { Schema } from "./field.ts";

export type Parameter<T> = {
  /** Wire names; the first is the documented one. */
  readonly names: readonly [string, ...string[]];
  readonly doc: string;
  readonly expected: string;
  /** Parses trimmed text that is not blank; undefined if it is invalid. */
  readonly parse: (text: string) => T | undefined;
  /** Whether the parameter counts as absent. */
  readonly isBlank: (text: string) => boolean;
  readonly schema: Schema;
  /** Values at the limits, and just beyond them. */
  readonly valid: readonly string[];
  readonly invalid: readonly string[];
  readonly fallback?: T;
  /** A license that a key needs to use this parameter. */
  readonly license?: string;
  /** Values come from responses and belong to one request: `valid` only shows their form. */
  readonly opaque?: true;
  /** Characters of an invalid value that errors echo; all by default. */
  readonly echoLimit?: number;
  /** A path segment rather than a query parameter. */
  readonly inPath?: boolean;
  /** Selects or shapes a format other than JSON: clients that parse JSON have no use for it. */
  readonly forOtherFormats?: true;
  /** The only formats it can be used with; all by default. */
  readonly formats?: readonly Format[];
};

/** The wire name of a bracketed parameter. */
export const p = (name: string): string => `parameters[${name}]`;

/** Of a single value or a member of a list. */
const maxLength = 256;

export type Names = string | readonly [string, ...string[]];

function parameter<T>(
  names: Names,
  rest: Omit<Parameter<T>, "names" | "isBlank"> & Partial<Pick<Parameter<T>, "isBlank">>,
): Parameter<T> {
  return { isBlank: (text) => text === "", ...rest, names: typeof names === "string" ? [names] : names };
}

/** Digits only: no sign, no exponent, no fraction; leading zeros allowed. */
export function integerParameter(names: Names, doc: string, min: number, max: number): Parameter<number>;
export function integerParameter(
  names: Names,
  doc: string,
  min: number,
  max: number,
  fallback: number,
): Parameter<number> & { fallback: number };
export function integerParameter(
  names: Names,
  doc: string,
  min: number,
  max: number,
  fallback?: number,
): Parameter<number> {
  return parameter(names, {
    doc,
    expected: `an integer from ${min} to ${max}`,
    parse: (text) => {
      if (!/^\d+$/.test(text)) return undefined;
      const value = Number(text);
      return value >= min && value <= max ? value : undefined;
    },
    schema: { type: "integer", minimum: min, maximum: max, ...(fallback === undefined ? {} : { default: fallback }) },
    valid: [String(min), String(max), `0${max}`],
    invalid: [
      ...(min > 0 ? [String(min - 1)] : []),
      String(BigInt(max) + 1n),
      "-1",
      "+1",
      "1.5",
      "1e2",
      "x",
      "99999999999999999999",
    ],
    ...(fallback === undefined ? {} : { fallback }),
  });
}

/** The parameter as a path segment, which is always present. */
export const inPath = <T>(parameter: Parameter<T>): Parameter<T> => ({
  ...parameter,
  isBlank: () => false,
  inPath: true,
});

export function decimalParameter(names: Names, doc: string): Parameter<string> {
  return parameter(names, {
    doc,
    expected: `a decimal number of at most ${maxDecimalLength} characters, such as 0.05`,
    parse: (text) => (isDecimal(text) ? text : undefined),
    schema: { type: "number" },
    valid: ["0", "0.05", ".05", "-1", "+2.50"],
    invalid: ["x", "1e3", "1,5", "0.0.5", "."],
  });
}

/** One of a few words, case-sensitive. */
export function enumParameter<W extends string>(names: Names, doc: string, words: readonly W[]): Parameter<W>;
export function enumParameter<W extends string>(
  names: Names,
  doc: string,
  words: readonly W[],
  fallback: W,
): Parameter<W> & { fallback: W };
export function enumParameter<W extends string>(
  names: Names,
  doc: string,
  words: readonly W[],
  fallback?: W,
): Parameter<W> {
  return parameter(names, {
    doc,
    expected: words.length === 1 ? `${words[0]}` : `one of ${words.join(", ")}`,
    parse: (text) => words.find((word) => word === text),
    schema: { type: "string", enum: words, ...(fallback === undefined ? {} : { default: fallback }) },
    valid: words,
    invalid: [
      "x",
      `${words[0]}x`,
      ...words.filter((word) => word !== word.toUpperCase()).map((word) => word.toUpperCase()),
    ],
    ...(fallback === undefined ? {} : { fallback }),
  });
}

/** One of a few names, case-insensitive. */
export function nameParameter(names: Names, doc: string, words: readonly string[]): Parameter<string> {
  return {
    ...enumParameter(names, doc, words),
    parse: (text) => words.find((word) => normalizeName(word) === normalizeName(text)),
    valid: [...words, ...words.map((word) => word.toLowerCase())],
    invalid: ["x", `${words[0]}x`],
  };
}

export function dayParameter(names: Names, doc: string): Parameter<string> {
  return parameter(names, {
    doc,
    expected: "a day as YYYY-MM-DD",
    parse: (text) => (isDay(text) ? text : undefined),
    schema: { type: "string", format: "date" },
    valid: ["2024-11-05", "2024-02-29"],
    invalid: ["2024-1-5", "2023-02-29", "2024-13-01", "05.11.2024", "2024-11-05T00:00:00Z", "today"],
  });
}

export function secondsParameter(names: Names, doc: string): Parameter<number> {
  return integerParameter(names, doc, 0, Number.MAX_SAFE_INTEGER);
}

export function booleanParameter(
  names: Names,
  doc: string,
  fallback: boolean,
): Parameter<boolean> & { fallback: boolean } {
  const words: Record<string, boolean> = { true: true, "1": true, false: false, "0": false };
  return {
    ...parameter<boolean>(names, {
      doc,
      expected: "true or false",
      parse: (text) => (Object.hasOwn(words, text.toLowerCase()) ? words[text.toLowerCase()] : undefined),
      schema: { type: "boolean", default: fallback },
      valid: ["true", "false", "1", "0", "TRUE", "False"],
      invalid: ["yes", "2", "on", "truex"],
    }),
    fallback,
  };
}

export type CsvOptions = {
  readonly what: string;
  /** The form in which members are compared; undefined if the member is invalid. */
  readonly normalize: (member: string) => string | undefined;
  readonly max?: number;
  readonly wordLimits?: WordLimits;
  readonly license?: string;
  readonly example?: string;
};

/** Limits the words of a search, whose cost depends on how common they are. */
type WordLimits = {
  readonly count: (member: string) => number;
  readonly perMember: number;
  readonly total: number;
};

/** Comma-separated members: trimmed, without empty ones and duplicates. */
export function csvParameter(names: Names, doc: string, options: CsvOptions): Parameter<readonly string[]> {
  const { max } = options;
  const example = options.example ?? "A,B";
  return parameter(names, {
    doc,
    expected: expectedMembers(options),
    isBlank: (text) => /^[\s,]*$/.test(text),
    parse: (text) => parseMembers(text, options),
    schema: {
      type: "array",
      items: { type: "string", maxLength },
      minItems: 1,
      ...(max === undefined ? {} : { maxItems: max }),
    },
    ...memberExamples(example, options),
    ...(options.license === undefined ? {} : { license: options.license }),
  });
}

function expectedMembers({ what, max, wordLimits }: CsvOptions): string {
  const counted = max === undefined ? what : `at most ${max} ${what}`;
  const each = `each of at most ${maxLength} characters`;
  if (wordLimits === undefined) return `${counted}, separated by commas, ${each}`;
  return `${counted}, separated by commas, ${each} and ${wordLimits.perMember} words, with at most ${wordLimits.total} words in total`;
}

function parseMembers(text: string, { normalize, max, wordLimits }: CsvOptions): readonly string[] | undefined {
  const members = new Set<string>();
  let counted = 0;
  for (const part of text.split(",")) {
    const member = part.trim();
    if (member === "") continue;
    const normalized = member.length > maxLength || member.includes("\0") ? undefined : normalize(member);
    if (normalized === undefined) return undefined;
    const count = wordLimits?.count(normalized) ?? 0;
    counted += count;
    if (wordLimits !== undefined && (count > wordLimits.perMember || counted > wordLimits.total)) return undefined;
    members.add(normalized);
  }
  return max !== undefined && members.size > max ? undefined : [...members];
}

function memberExamples(
  example: string,
  { max, wordLimits }: CsvOptions,
): Pick<Parameter<string>, "valid" | "invalid"> {
  const reached = Math.min(max ?? 0, wordLimits?.total ?? Number.POSITIVE_INFINITY);
  const phrase = (count: number): string => Array(count).fill("word").join(" ");
  return {
    valid: [
      example,
      ` ${example} ,, ${example}`,
      ...(reached === 0 ? [] : [members(wordLimits === undefined ? example : "word", reached)]),
      ...(wordLimits === undefined ? [] : [phrase(wordLimits.perMember)]),
    ],
    invalid: [
      "x".repeat(maxLength + 1),
      "a\0b",
      ...(max === undefined ? [] : [members("T", max + 1)]),
      ...(wordLimits === undefined
        ? []
        : [
            phrase(wordLimits.perMember + 1),
            Array(wordLimits.total + 1)
              .fill("word")
              .join(","),
          ]),
    ],
  };
}

const members = (stem: string, count: number): string =>
  Array.from({ length: count }, (_, index) =>
    index === 0 ? stem.split(",")[0] : `${stem.split(",")[0]}${index}`,
  ).join(",");

export function textParameter(
  names: Names,
  doc: string,
  expected: string,
  normalize: (text: string) => string | undefined,
  edges: Pick<Parameter<string>, "valid" | "invalid">,
): Parameter<string> {
  return parameter(names, {
    doc,
    expected: `${expected}, of at most ${maxLength} characters`,
    parse: (text) => (text.length > maxLength || text.includes("\0") ? undefined : normalize(text)),
    schema: { type: "string", maxLength },
    valid: edges.valid,
    invalid: ["x".repeat(maxLength + 1), "a\0b", ...edges.invalid],
  });
}
