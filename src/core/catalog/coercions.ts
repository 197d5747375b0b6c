// Other spellings of values that files contain, converted without loss to what fields expect. Only files are coerced:
// records sent over HTTP have exactly the documented form.

import { numberToDecimal } from "../value/decimal.ts";
import { parseInstant, type Zone } from "../value/time-zone.ts";
import { parseTimestamp, wallClock } from "../value/timestamp.ts";

/** What a user knows about the values of a file. */
type ValueOrigin = {
  /** The time zone of timestamps that have none. */
  readonly zone?: Zone | undefined;
};

/** Returns the value unchanged unless it is a known spelling. */
export type Coercion = (value: unknown, origin: ValueOrigin) => unknown;

/** Numbers as text. Beyond 2^53, digits may already be lost. */
export const toDecimal: Coercion = (value) => (typeof value === "number" ? (numberToDecimal(value) ?? value) : value);

/** `9:30` is `09:30:00`. */
export const toClock: Coercion = (value) => {
  const [, hour = "", minute, second = "00"] =
    (typeof value === "string" && /^(\d{1,2}):(\d\d)(?::(\d\d))?$/.exec(value)) || [];
  return minute === undefined ? value : `${hour.padStart(2, "0")}:${minute}:${second}`;
};

/** A timestamp at midnight is a day. */
export const toDay: Coercion = (value) => {
  const wall = typeof value === "string" && value.length > 10 ? wallClock(value) : undefined;
  return wall?.time === "00:00:00" ? wall.day : value;
};

/** Timestamps in ISO 8601 or RFC 2822 as Unix seconds. */
export const toSeconds: Coercion = (value, { zone }) =>
  typeof value === "string" ? (parseInstant(value) ?? parseTimestamp(value, zone) ?? value) : value;

/** Text, or a list of text, as a list of objects with one attribute. */
export const toObjects =
  (name: string): Coercion =>
  (value) => {
    if (typeof value === "number") return [{ [name]: String(value) }];
    if (typeof value === "string" && value.trim() !== "")
      return value.split(",").flatMap((text) => wrapped(name, text));
    if (!Array.isArray(value) || !value.some((each) => typeof each === "string")) return value;
    return value.flatMap((each) => (typeof each === "string" ? wrapped(name, each) : [each]));
  };

const wrapped = (name: string, text: string): object[] => (text.trim() === "" ? [] : [{ [name]: text.trim() }]);

/** Known words in place of their abbreviations, in any case. */
export const toWord =
  (words: Readonly<Record<string, string>>): Coercion =>
  (value) =>
    typeof value === "string" && Object.hasOwn(words, value.toLowerCase()) ? words[value.toLowerCase()] : value;
