// Inputs: how one query value is read. Each says in words what it expects, which values it takes and which it refuses.
import { type Cursor, readCursor } from "../query/cursor.ts";
import { foldName } from "../text/normalize.ts";
import { isDecimal, longestDecimal } from "../value/decimal.ts";
import { isDay } from "../value/time-zone.ts";
import type { Schema } from "./field.ts";

export type Input<T> = {
  /** Wire names, literally; the first is the documented one. */
  readonly names: readonly [string, ...string[]];
  readonly doc: string;
  readonly expected: string;
  /** Reads a trimmed text that is not blank; undefined: not understood. */
  readonly decode: (text: string) => T | undefined;
  /** True when the text says nothing, so that the parameter counts as not given. */
  readonly blank: (text: string) => boolean;
  readonly schema: Schema;
  /** Values at the edges of what is taken, and just beyond them. */
  readonly good: readonly string[];
  readonly bad: readonly string[];
  readonly fallback?: T;
  /** A grant the key must hold before this input may be used. */
  readonly license?: string;
  /** Values are given out by answers and belong to one request: `good` shows their form alone. */
  readonly issued?: true;
  /** Characters of a refused value that are told back; all of them unless said. */
  readonly told?: number;
  /** A segment of the path, rather than a parameter of the query. */
  readonly inPath?: boolean;
};

/** The wire name of a bracketed parameter. */
export const p = (name: string): string => `parameters[${name}]`;

/** Longest single value or member of a list: nothing that is asked for has a longer name. */
const longest = 256;

export type Names = string | readonly [string, ...string[]];

function input<T>(names: Names, rest: Omit<Input<T>, "names" | "blank"> & Partial<Pick<Input<T>, "blank">>): Input<T> {
  return { blank: (text) => text === "", ...rest, names: typeof names === "string" ? [names] : names };
}

/** Digits only: no sign, no exponent, no fraction; leading zeros allowed. */
export function whole(names: Names, doc: string, min: number, max: number): Input<number>;
export function whole(
  names: Names,
  doc: string,
  min: number,
  max: number,
  fallback: number,
): Input<number> & { fallback: number };
export function whole(names: Names, doc: string, min: number, max: number, fallback?: number): Input<number> {
  return input(names, {
    doc,
    expected: `an integer from ${min} to ${max}`,
    decode: (text) => {
      if (!/^\d+$/.test(text)) return undefined;
      const value = Number(text);
      return value >= min && value <= max ? value : undefined;
    },
    schema: { type: "integer", minimum: min, maximum: max, ...(fallback === undefined ? {} : { default: fallback }) },
    good: [String(min), String(max), `0${max}`],
    bad: [
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

/** The input as a segment of the path, which is always given. */
export const inPath = <T>(input: Input<T>): Input<T> => ({ ...input, blank: () => false, inPath: true });

export function decimalNumber(names: Names, doc: string): Input<string> {
  return input(names, {
    doc,
    expected: `a decimal number of at most ${longestDecimal} characters, such as 0.05`,
    decode: (text) => (isDecimal(text) ? text : undefined),
    schema: { type: "number" },
    good: ["0", "0.05", ".05", "-1", "+2.50"],
    bad: ["x", "1e3", "1,5", "0.0.5", "."],
  });
}

/** One of a few words, taken literally. */
export function choiceOf<W extends string>(names: Names, doc: string, words: readonly W[]): Input<W>;
export function choiceOf<W extends string>(
  names: Names,
  doc: string,
  words: readonly W[],
  fallback: W,
): Input<W> & { fallback: W };
export function choiceOf<W extends string>(names: Names, doc: string, words: readonly W[], fallback?: W): Input<W> {
  return input(names, {
    doc,
    expected: words.length === 1 ? `${words[0]}` : `one of ${words.join(", ")}`,
    decode: (text) => words.find((word) => word === text),
    schema: { type: "string", enum: words, ...(fallback === undefined ? {} : { default: fallback }) },
    good: words,
    bad: [
      "x",
      `${words[0]}x`,
      ...words.filter((word) => word !== word.toUpperCase()).map((word) => word.toUpperCase()),
    ],
    ...(fallback === undefined ? {} : { fallback }),
  });
}

/** One of a few names, compared without regard to case. */
export function nameOf(names: Names, doc: string, words: readonly string[]): Input<string> {
  return {
    ...choiceOf(names, doc, words),
    decode: (text) => words.find((word) => foldName(word) === foldName(text)),
    good: [...words, ...words.map((word) => word.toLowerCase())],
    bad: ["x", `${words[0]}x`],
  };
}

export function dayInput(names: Names, doc: string): Input<string> {
  return input(names, {
    doc,
    expected: "a day as YYYY-MM-DD",
    decode: (text) => (isDay(text) ? text : undefined),
    schema: { type: "string", format: "date" },
    good: ["2024-11-05", "2024-02-29"],
    bad: ["2024-1-5", "2023-02-29", "2024-13-01", "05.11.2024", "2024-11-05T00:00:00Z", "today"],
  });
}

export function seconds(names: Names, doc: string): Input<number> {
  return whole(names, doc, 0, Number.MAX_SAFE_INTEGER);
}

export function yesOrNo(names: Names, doc: string, fallback: boolean): Input<boolean> & { fallback: boolean } {
  const words: Record<string, boolean> = { true: true, "1": true, false: false, "0": false };
  return {
    ...input<boolean>(names, {
      doc,
      expected: "true or false",
      decode: (text) => (Object.hasOwn(words, text.toLowerCase()) ? words[text.toLowerCase()] : undefined),
      schema: { type: "boolean", default: fallback },
      good: ["true", "false", "1", "0", "TRUE", "False"],
      bad: ["yes", "2", "on", "truex"],
    }),
    fallback,
  };
}

/** Where to go on in a list. That it belongs to the request is seen when all of the request is read. */
export const cursorInput: Input<Cursor> = input("cursor", {
  doc: "Extension: where the list goes on, as the Link header of the page before gives it. The rest of the request stays the same, but for the page size and what is shown of each record; page is 0 or not given",
  expected: "a cursor of the same request, as its Link header gave it",
  decode: readCursor,
  schema: { type: "string", pattern: "^1[A-Za-z0-9_-]+$" },
  good: ["1q7Zs0XcVWyIyMDI0LTExLTA1IiwiMDk6MzA6MDAiLCI2NWYxYzJkNGExYjJjM2Q0ZTVmNjA3MTgiXQ"],
  // No position, an empty one, none in base64url, and a form that is yet to come.
  bad: ["x", "1", "1AAAAAAAAe30", "1AAAAAAAAW10", "1AAAAAAAA!", "2AAAAAAAAWzFd"],
  issued: true,
  told: 24,
});

export type CsvOptions = {
  readonly what: string;
  /** The form in which members are compared; undefined refuses the member. */
  readonly fold: (member: string) => string | undefined;
  readonly most?: number;
  readonly words?: WordLimits;
  readonly license?: string;
  readonly example?: string;
};

/** How many words members may have, repeated ones included: those of a search cost the most where they are common. */
export type WordLimits = {
  readonly count: (member: string) => number;
  readonly perMember: number;
  readonly inAll: number;
};

/** Comma-separated members: trimmed, empty ones dropped, repeats counted once. */
export function csv(names: Names, doc: string, options: CsvOptions): Input<readonly string[]> {
  const { most } = options;
  const example = options.example ?? "A,B";
  return input(names, {
    doc,
    expected: expectedMembers(options),
    blank: (text) => /^[\s,]*$/.test(text),
    decode: (text) => membersOf(text, options),
    schema: {
      type: "array",
      items: { type: "string", maxLength: longest },
      minItems: 1,
      ...(most === undefined ? {} : { maxItems: most }),
    },
    ...memberEdges(example, options),
    ...(options.license === undefined ? {} : { license: options.license }),
  });
}

function expectedMembers({ what, most, words }: CsvOptions): string {
  const counted = most === undefined ? what : `at most ${most} ${what}`;
  const each = `each of at most ${longest} characters`;
  if (words === undefined) return `${counted}, separated by commas, ${each}`;
  return `${counted}, separated by commas, ${each} and ${words.perMember} words, with at most ${words.inAll} words in all`;
}

function membersOf(text: string, { fold, most, words }: CsvOptions): readonly string[] | undefined {
  const members = new Set<string>();
  let counted = 0;
  for (const part of text.split(",")) {
    const member = part.trim();
    if (member === "") continue;
    const folded = member.length > longest || member.includes("\0") ? undefined : fold(member);
    if (folded === undefined) return undefined;
    const count = words?.count(folded) ?? 0;
    counted += count;
    if (words !== undefined && (count > words.perMember || counted > words.inAll)) return undefined;
    members.add(folded);
  }
  return most !== undefined && members.size > most ? undefined : [...members];
}

/** Values at the edges of the limits, and just beyond them. */
function memberEdges(example: string, { most, words }: CsvOptions): Pick<Input<string>, "good" | "bad"> {
  const reached = Math.min(most ?? 0, words?.inAll ?? Number.POSITIVE_INFINITY);
  const phrase = (count: number): string => Array(count).fill("word").join(" ");
  return {
    good: [
      example,
      ` ${example} ,, ${example}`,
      ...(reached === 0 ? [] : [members(words === undefined ? example : "word", reached)]),
      ...(words === undefined ? [] : [phrase(words.perMember)]),
    ],
    bad: [
      "x".repeat(longest + 1),
      "a\0b",
      ...(most === undefined ? [] : [members("T", most + 1)]),
      ...(words === undefined
        ? []
        : [
            phrase(words.perMember + 1),
            Array(words.inAll + 1)
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

/** One value of free text. */
export function freeText(
  names: Names,
  doc: string,
  expected: string,
  fold: (text: string) => string | undefined,
  edges: Pick<Input<string>, "good" | "bad">,
): Input<string> {
  return input(names, {
    doc,
    expected: `${expected}, of at most ${longest} characters`,
    decode: (text) => (text.length > longest || text.includes("\0") ? undefined : fold(text)),
    schema: { type: "string", maxLength: longest },
    good: edges.good,
    bad: ["x".repeat(longest + 1), "a\0b", ...edges.bad],
  });
}
