// Kinds of field that hold one value: text, words, numbers, days, clock times and moments.

import type { Json } from "../record/row.ts";
import { foldName } from "../text/normalize.ts";
import { isDecimal, sortable } from "../value/decimal.ts";
import { isDay, parseInstant, printInstant } from "../value/time-zone.ts";
import { type Field, type FieldOptions, field, mostIndexed, type Refuse } from "./field.ts";

function acceptText(check: (text: string) => boolean, expected: string) {
  return (value: unknown, refuse: Refuse): Json => {
    if (typeof value === "string" && value.isWellFormed() && !value.includes("\0") && (value === "" || check(value))) {
      return value;
    }
    refuse(expected, value);
    return "";
  };
}

/** No value of a request is longer, so that the beginning of a longer text equals none. Indexes can't hold any length. */
const mostCompared = 512;

export function text(doc: string, options: FieldOptions = {}): Field {
  return field(
    doc,
    {
      kind: "text",
      example: "text",
      empty: "",
      column: "text",
      accept: acceptText(() => true, "text"),
      compare: (value) => (value as string).slice(0, mostCompared).toWellFormed(),
      schema: { type: "string" },
    },
    options,
  );
}

/** Text that records are asked by, such as a ticker or an author. */
export function label(doc: string, options: FieldOptions = {}, most: number = mostIndexed): Field {
  return {
    ...text(doc, options),
    accept: acceptText((value) => value.length <= most, `text of at most ${most} characters`),
    schema: { type: "string", maxLength: most },
  };
}

/** Text that names the record: never empty, and short enough for an index. */
export function textId(doc: string, options: FieldOptions = {}): Field {
  return {
    ...text(doc, { required: true, example: "65f1c2d4a1b2c3d4e5f60718", ...options }),
    accept: acceptText((value) => value.length <= mostIndexed, `text of 1 to ${mostIndexed} characters`),
    schema: { type: "string", minLength: 1, maxLength: mostIndexed },
  };
}

/** One of a closed set of words, in any case on import; shown as imported. */
export function word(doc: string, words: readonly string[], options: FieldOptions = {}): Field {
  const known = new Set(words.map(foldName));
  return field(
    doc,
    {
      kind: "word",
      example: words[0] ?? "",
      empty: "",
      column: "text",
      words,
      accept: acceptText((value) => known.has(foldName(value)), `one of ${words.join(", ")}`),
      compare: (value) => foldName(value as string),
      // No enum: a value is shown in the case in which it was imported.
      schema: { type: "string" },
    },
    options,
  );
}

export function integer(doc: string, options: FieldOptions & { min?: number; max?: number } = {}): Field {
  const { min = Number.MIN_SAFE_INTEGER, max = Number.MAX_SAFE_INTEGER, ...rest } = options;
  const bounded = options.min !== undefined && options.max !== undefined;
  return field(
    doc,
    {
      kind: "integer",
      example: Math.max(min, 1),
      empty: 0,
      column: "integer",
      range: { min, max },
      accept: (value, refuse) => {
        const inside = Number.isSafeInteger(value) && (value as number) >= min && (value as number) <= max;
        // 0 is how an unknown integer is answered, so it comes back in on import.
        if (inside || (value === 0 && !rest.required)) return value as number;
        refuse(bounded ? `an integer from ${min} to ${max}` : "an integer", value);
        return 0;
      },
      fromText: (cell) => (/^[+-]?\d{1,16}$/.test(cell) ? Number(cell) : cell),
      emit: rest.optional ? (value) => (value === 0 ? undefined : value) : (value) => value,
      schema: bounded
        ? { type: "integer", minimum: rest.required ? min : Math.min(0, min), maximum: max }
        : { type: "integer" },
    },
    rest,
  );
}

/** Unix seconds as an integer; fractions of a second are cut off. */
export function stamp(doc: string, options: FieldOptions = {}): Field {
  const whole = integer(doc, { min: 0, max: Number.MAX_SAFE_INTEGER, example: 1_730_817_000, ...options });
  return {
    ...whole,
    accept: (value, refuse) => whole.accept(wholeSeconds(value), (expected) => refuse(expected, value)),
    fromText: (cell) => (/^\d{1,16}(\.\d+)?$/.test(cell) ? Number(cell) : cell),
  };
}

const wholeSeconds = (value: unknown): unknown => (Number.isFinite(value) ? Math.floor(value as number) : value);

const flagWords = new Map([
  ["true", true],
  ["1", true],
  ["false", false],
  ["0", false],
]);

export function flag(doc: string, options: FieldOptions = {}): Field {
  return field(
    doc,
    {
      kind: "flag",
      example: true,
      empty: false,
      column: "integer",
      accept: (value, refuse) => {
        if (typeof value === "boolean") return value;
        refuse("true or false", value);
        return false;
      },
      fromText: (cell) => flagWords.get(cell.toLowerCase()) ?? cell,
      compare: (value) => (value ? 1 : 0),
      schema: { type: "boolean" },
    },
    options,
  );
}

/** A decimal number as text, answered exactly as it was imported and compared as a number. */
export function decimal(doc: string, options: FieldOptions = {}): Field {
  return field(
    doc,
    {
      kind: "decimal",
      example: "1.50",
      empty: "",
      column: "text",
      accept: acceptText(isDecimal, 'a decimal number as text, such as "1.50"'),
      compare: (value) => (value === "" ? null : sortable(value as string)),
      schema: { type: "string", pattern: "^([+-]?([0-9]+(\\.[0-9]+)?|\\.[0-9]+))?$" },
    },
    options,
  );
}

// Days are compared as text: YYYY-MM-DD sorts like time, and an empty one is the smallest.
export function day(doc: string, options: FieldOptions = {}): Field {
  return field(
    doc,
    {
      kind: "day",
      example: "2024-11-05",
      empty: "",
      column: "text",
      accept: acceptText(isDay, "a day as YYYY-MM-DD"),
      schema: { type: "string", pattern: "^([0-9]{4}-[0-9]{2}-[0-9]{2})?$" },
    },
    options,
  );
}

export function clock(doc: string, options: FieldOptions = {}): Field {
  return field(
    doc,
    {
      kind: "clock",
      example: "09:30:00",
      empty: "",
      column: "text",
      accept: acceptText((value) => /^([01]\d|2[0-3]):[0-5]\d:[0-5]\d$/.test(value), "a clock time as hh:mm:ss"),
      schema: { type: "string", pattern: "^([0-9]{2}:[0-9]{2}:[0-9]{2})?$" },
    },
    options,
  );
}

/** Largest instant and news id that fit a packed key: 2106-02-07 in seconds, 32 bits. */
export const maxPacked = 2 ** 32 - 1;

/** A moment, kept in seconds and printed as text in the service's zone. */
export function instant(doc: string, options: FieldOptions = {}): Field {
  const expected =
    'a date and time such as "Tue, 05 Nov 2024 09:30:00 -0500", ISO 8601 with an offset, or Unix seconds, from 1970 to 2106';
  return field(
    doc,
    {
      kind: "instant",
      example: "Tue, 05 Nov 2024 09:30:00 -0500",
      empty: 0,
      column: "integer",
      accept: (value, refuse) => {
        const seconds = typeof value === "string" ? parseInstant(value) : wholeSeconds(value);
        if (Number.isSafeInteger(seconds) && (seconds as number) >= 0 && (seconds as number) <= maxPacked) {
          return seconds as number;
        }
        refuse(expected, value);
        return 0;
      },
      fromText: (cell) => (/^\d{1,10}(\.\d+)?$/.test(cell) ? Number(cell) : cell),
      emit: (value, { zone }) => printInstant(zone, value as number),
      schema: { type: "string", pattern: "^[A-Z][a-z]{2}, [0-9]{2} [A-Z][a-z]{2} [0-9]{4} [0-9:]{8} [+-][0-9]{4}$" },
    },
    options,
  );
}

/** A CUSIP: nine characters kept as text; answered as an integer where it is one, by decision 013. */
export function calendarCusip(doc: string): Field {
  const digits = /^\d{1,9}$/;
  return field(
    doc,
    {
      kind: "cusip",
      example: 307833103,
      empty: "",
      column: "text",
      optional: true,
      accept: (value, refuse) => {
        if (typeof value === "number" && Number.isInteger(value) && value >= 0 && value <= 999_999_999) {
          return value === 0 ? "" : String(value).padStart(9, "0");
        }
        return acceptText((given) => given.length <= 32, "a CUSIP: an integer of up to nine digits, or text")(
          value,
          refuse,
        );
      },
      emit: (value, { cusip }) => {
        const given = value as string;
        if (given === "") return undefined;
        if (cusip === "string") return given;
        return digits.test(given) ? Number(given) : undefined;
      },
      // Always the text: a spreadsheet would take the zeros off a number.
      exported: (value) => value,
      fromText: (cell) => (digits.test(cell) ? Number(cell) : cell),
      lossy: (value, { cusip }) =>
        cusip === "integer" && value !== "" && !(/^\d{9}$/.test(value as string) && Number(value) > 0),
      schema: { type: ["integer", "string"] },
    },
    {},
  );
}
