// Field types with one value: text, words, numbers, days, clock times, and instants.

import type { Json } from "../record/row.ts";
import { normalizeName } from "../text/normalize.ts";
import { isDecimal, sortable } from "../value/decimal.ts";
import { isDay, parseInstant, printInstant } from "../value/time-zone.ts";
import { toClock, toDay, toDecimal, toSeconds } from "./coercions.ts";
import { asStored, type Field, type FieldOptions, field, maxIndexedLength, type Reject } from "./field.ts";

function validateText(check: (text: string) => boolean, expected: string) {
  return (value: unknown, reject: Reject): Json => {
    if (typeof value === "string" && value.isWellFormed() && !value.includes("\0") && (value === "" || check(value))) {
      return value;
    }
    reject(expected, value);
    return "";
  };
}

/** Longer than any value in a request, so that truncated text never matches; indexes have a size limit. */
const maxComparedLength = 512;

/** Names are compared without regard to case. */
export const nameKey = (value: Json): string =>
  normalizeName(value as string)
    .slice(0, maxComparedLength)
    .toWellFormed();

export function text(doc: string, options: FieldOptions = {}): Field {
  return field(
    doc,
    {
      kind: "text",
      example: "text",
      empty: "",
      column: "text",
      validate: validateText(() => true, "text"),
      compareKey: (value) => (value as string).slice(0, maxComparedLength).toWellFormed(),
      schema: { type: "string" },
    },
    options,
  );
}

/** Text that records are filtered by, such as a ticker or an author. */
export function label(doc: string, options: FieldOptions = {}, max: number = maxIndexedLength): Field {
  return {
    ...text(doc, options),
    validate: validateText((value) => value.length <= max, `text of at most ${max} characters`),
    schema: { type: "string", maxLength: max },
  };
}

/** Stored with the record and exported, but never served. Values other than text are stored as JSON. */
export function annotation(doc: string, options: FieldOptions = {}): Field {
  const stored = text(doc, { shown: "never", ...options });
  return {
    ...stored,
    validate: (value, reject) => stored.validate(typeof value === "string" ? value : JSON.stringify(value), reject),
  };
}

/** A record ID: never empty, and short enough for an index. */
export function textId(doc: string, options: FieldOptions = {}): Field {
  return {
    ...text(doc, { required: true, example: "65f1c2d4a1b2c3d4e5f60718", ...options }),
    validate: validateText((value) => value.length <= maxIndexedLength, `text of 1 to ${maxIndexedLength} characters`),
    schema: { type: "string", minLength: 1, maxLength: maxIndexedLength },
  };
}

/** One of a closed set of words; case-insensitive on import, stored in the spelling of the set. */
export function word(doc: string, allowedValues: readonly string[], options: FieldOptions = {}): Field {
  const known = new Map(allowedValues.map((value) => [normalizeName(value), value]));
  const validate = validateText((value) => known.has(normalizeName(value)), `one of ${allowedValues.join(", ")}`);
  return field(
    doc,
    {
      kind: "word",
      example: allowedValues[0] ?? "",
      empty: "",
      column: "text",
      allowedValues,
      validate: (value, reject) => {
        const text = validate(value, reject) as string;
        return known.get(normalizeName(text)) ?? text;
      },
      compareKey: (value) => normalizeName(value as string),
      // No enum: databases may contain other spellings, from before they were unified.
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
      validate: (value, reject) => {
        const inside = Number.isSafeInteger(value) && (value as number) >= min && (value as number) <= max;
        // Responses have 0 for an unknown integer, so imports must accept it.
        if (inside || (value === 0 && !rest.required)) return value as number;
        reject(bounded ? `an integer from ${min} to ${max}` : "an integer", value);
        return 0;
      },
      fromCsv: (cell) => (/^[+-]?\d{1,16}(\.0+)?$/.test(cell) ? Number(cell) : cell),
      emit: rest.optional ? (value) => (value === 0 ? undefined : value) : asStored,
      schema: bounded
        ? { type: "integer", minimum: rest.required ? min : Math.min(0, min), maximum: max }
        : { type: "integer" },
    },
    rest,
  );
}

/** Unix seconds as an integer; fractions are truncated. */
export function stamp(doc: string, options: FieldOptions = {}): Field {
  const whole = integer(doc, { min: 0, max: Number.MAX_SAFE_INTEGER, example: 1_730_817_000, ...options });
  return {
    ...whole,
    kind: "stamp",
    validate: (value, reject) => whole.validate(wholeSeconds(value), (expected) => reject(expected, value)),
    fromCsv: (cell) => (/^\d{1,16}(\.\d+)?$/.test(cell) ? Number(cell) : cell),
    coerce: toSeconds,
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
      validate: (value, reject) => {
        if (typeof value === "boolean") return value;
        reject("true or false", value);
        return false;
      },
      fromCsv: (cell) => flagWords.get(cell.toLowerCase()) ?? cell,
      compareKey: (value) => (value ? 1 : 0),
      schema: { type: "boolean" },
    },
    options,
  );
}

/** A decimal number as text, returned exactly as imported and compared as a number. */
export function decimal(doc: string, options: FieldOptions = {}): Field {
  return field(
    doc,
    {
      kind: "decimal",
      example: "1.50",
      empty: "",
      column: "text",
      validate: validateText(isDecimal, 'a decimal number as text, such as "1.50"'),
      coerce: toDecimal,
      compareKey: (value) => (value === "" ? null : sortable(value as string)),
      schema: { type: "string", pattern: "^([+-]?([0-9]+(\\.[0-9]+)?|\\.[0-9]+))?$" },
    },
    options,
  );
}

export function day(doc: string, options: FieldOptions = {}): Field {
  return field(
    doc,
    {
      kind: "day",
      example: "2024-11-05",
      empty: "",
      column: "text",
      validate: validateText(isDay, "a day as YYYY-MM-DD"),
      coerce: toDay,
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
      validate: validateText((value) => /^([01]\d|2[0-3]):[0-5]\d:[0-5]\d$/.test(value), "a clock time as hh:mm:ss"),
      coerce: toClock,
      schema: { type: "string", pattern: "^([0-9]{2}:[0-9]{2}:[0-9]{2})?$" },
    },
    options,
  );
}

/** Largest instant (2106-02-07) and news ID that fit into 32 bits of a packed key. */
export const maxPacked = 2 ** 32 - 1;

/** Stored in seconds, printed in the service's time zone. */
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
      validate: (value, reject) => {
        const seconds = typeof value === "string" ? parseInstant(value) : wholeSeconds(value);
        if (Number.isSafeInteger(seconds) && (seconds as number) >= 0 && (seconds as number) <= maxPacked) {
          return seconds as number;
        }
        reject(expected, value);
        return 0;
      },
      fromCsv: (cell) => (/^\d{1,10}(\.\d+)?$/.test(cell) ? Number(cell) : cell),
      coerce: toSeconds,
      emit: (value, { zone }) => printInstant(zone, value as number),
      schema: { type: "string", pattern: "^[A-Z][a-z]{2}, [0-9]{2} [A-Z][a-z]{2} [0-9]{4} [0-9:]{8} [+-][0-9]{4}$" },
    },
    options,
  );
}

/** As spreadsheets write large numbers. Real CUSIPs may look like 68389E101, without a point or sign. */
const isExponential = (text: string): boolean => /^\d+(\.\d+E[+-]?|E[+-])\d+$/i.test(text.trim());

const validateCusip = validateText(
  (text) => text.length <= 32 && !isExponential(text),
  "a CUSIP: an integer of up to nine digits, or text that is not in exponent notation",
);

/** The CUSIP of a stock, as text. */
export function cusipLabel(doc: string, options: FieldOptions = {}): Field {
  const text = label(doc, options);
  return {
    ...text,
    validate: (value, reject) =>
      typeof value === "string" && isExponential(value) ? validateCusip(value, reject) : text.validate(value, reject),
  };
}

/** A CUSIP: stored as nine characters, returned as an integer if it is numeric (decision 013). */
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
      validate: (value, reject) => {
        if (typeof value === "number" && Number.isInteger(value) && value >= 0 && value <= 999_999_999) {
          return value === 0 ? "" : String(value).padStart(9, "0");
        }
        return validateCusip(value, reject);
      },
      emit: (value, { cusip }) => {
        const text = value as string;
        if (text === "") return undefined;
        if (cusip === "string") return text;
        return digits.test(text) ? Number(text) : undefined;
      },
      // Text, since spreadsheets drop leading zeros of numbers.
      exported: (value) => value,
      fromCsv: (cell) => (digits.test(cell) ? Number(cell) : cell),
      lossy: (value, { cusip }) =>
        cusip === "integer" && value !== "" && !(/^\d{9}$/.test(value as string) && Number(value) > 0),
      schema: { type: ["integer", "string"] },
    },
    {},
  );
}
