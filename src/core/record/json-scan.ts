// Where the members of stored records stand in their text. Records are kept in one compact form, with their fields in the
// order of their names, so that members are found without the rest being read.
import type { Field } from "../catalog/field.ts";
import type { Json } from "./row.ts";

const [quote, comma, backslash] = [0x22, 0x2c, 0x5c];
const [openList, closeList, openObject, closeObject] = [0x5b, 0x5d, 0x7b, 0x7d];

/** The members of the record walked over last, each by the place of its name in the list of names. */
export type Walk = {
  /** Of each wanted member, where its name begins with a quote; -1 when the record has no such member. */
  readonly begins: Int32Array;
  /** Where its value begins, and where it ends. */
  readonly values: Int32Array;
  readonly ends: Int32Array;
  /** Walks over the record that begins at a position; gives where it ends. */
  readonly over: (text: string, at: number) => number;
};

/**
 * A walk over records whose members come in the order of `names`; only those of `wanted` are told. Where no value is a
 * list or an object (`isFlat`), members are searched for, which takes a fraction of the time.
 */
export function walkOver(names: readonly string[], wanted: ReadonlySet<string>, isFlat: boolean): Walk {
  const begins = new Int32Array(names.length);
  const values = new Int32Array(names.length);
  const ends = new Int32Array(names.length);
  const found = { begins, values, ends };
  return { ...found, over: isFlat ? searching(names, wanted, found) : walking(names, wanted, found) };
}

/** Names of the members that every stored record may have, in their order, and whether none is a list or an object. */
export function storedIn(fields: Readonly<Record<string, Field>>): { stored: string[]; isFlat: boolean } {
  const stored = Object.keys(fields).filter((name) => fields[name]?.shown === "always");
  const isFlat = stored.every((name) => !["array", "object"].includes(String(fields[name]?.schema.type)));
  return { stored, isFlat };
}

/** The value of a member. A text without escapes, which nearly all are, is what stands between its quotes. */
export function valueIn(text: string, begin: number, end: number): Json {
  if (text.charCodeAt(begin) === quote) {
    const value = text.slice(begin + 1, end - 1);
    if (!value.includes("\\")) return value;
  }
  return JSON.parse(text.slice(begin, end)) as Json;
}

type Found = Pick<Walk, "begins" | "values" | "ends">;

/** Every member is looked at. */
function walking(names: readonly string[], wanted: ReadonlySet<string>, { begins, values, ends }: Found): Walk["over"] {
  const placeOf = new Map(names.flatMap((name, place) => (wanted.has(name) ? [[name, place]] : [])));
  return (text, begin) => {
    begins.fill(-1);
    let at = startOf(text, begin);
    while (text.charCodeAt(at) !== closeObject) {
      const nameEnd = text.indexOf('"', at + 1);
      if (nameEnd === -1) throw new Error("a stored record holds a name that does not end");
      const end = afterValue(text, nameEnd + 2);
      const place = placeOf.get(text.slice(at + 1, nameEnd));
      if (place !== undefined) {
        begins[place] = at;
        values[place] = nameEnd + 2;
        ends[place] = end;
      }
      at = text.charCodeAt(end) === comma ? end + 1 : end;
    }
    return at + 1;
  };
}

/** No name is found inside a text: quotes are escaped there, and what follows the quote at its end is no name. */
function searching(
  names: readonly string[],
  wanted: ReadonlySet<string>,
  { begins, values, ends }: Found,
): Walk["over"] {
  const places = names.flatMap((name, place) => (wanted.has(name) ? [place] : []));
  const keys = names.map((name) => `"${name}":`);
  const searched = keys.map((key) => `,${key}`);
  /** Where each was found last, in this record or behind it: what records leave out is not searched for in each of them. */
  const seen = new Float64Array(names.length);
  /** How far from the one before it each was found last: what lies between is often as long in the next record. */
  const gaps = new Int32Array(names.length);
  return (text, begin) => {
    if (begin === 0) seen.fill(-1);
    let at = startOf(text, begin) - 1;
    const recordEnd = endOfFlat(text, at);
    for (const place of places) {
      const key = keys[place] as string;
      const likely = at + (gaps[place] as number);
      let member = at + 1;
      if (likely < recordEnd && text.startsWith(searched[place] as string, likely)) member = likely + 1;
      else if (!text.startsWith(key, member)) {
        if ((seen[place] as number) < member) {
          const next = text.indexOf(searched[place] as string, at);
          seen[place] = next === -1 ? Number.POSITIVE_INFINITY : next + 1;
        }
        member = seen[place] as number;
      }
      if (member >= recordEnd) begins[place] = -1;
      else {
        gaps[place] = member - 1 - at;
        begins[place] = member;
        values[place] = member + key.length;
        at = afterValue(text, member + key.length);
        ends[place] = at;
      }
    }
    return recordEnd + 1;
  };
}

/** The position of the first member, or of the end of a record without any. */
function startOf(text: string, begin: number): number {
  if (text.charCodeAt(begin) === openObject) return begin + 1;
  throw new Error(`a stored record begins with ${JSON.stringify(text.slice(begin, begin + 20))}`);
}

/** The brace at the end of a record that holds no other. After one inside a text, a name can't begin. */
function endOfFlat(text: string, begin: number): number {
  for (let at = begin; ; at++) {
    at = text.indexOf('},{"', at);
    if (at === -1) break;
    const next = text.charCodeAt(at + 4);
    if (next !== comma && next !== closeObject) return at;
  }
  if (text.charCodeAt(text.length - 1) !== closeObject) throw new Error("a stored record ends too soon");
  return text.length - 1;
}

/** Where the value that begins at a position ends. */
function afterValue(text: string, begin: number): number {
  const first = text.charCodeAt(begin);
  if (first === quote) return afterText(text, begin);
  if (first === openList || first === openObject) return afterMany(text, begin);
  for (let at = begin; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === comma || code === closeObject || code === closeList) return at;
  }
  throw new Error("a stored record ends too soon");
}

function afterText(text: string, begin: number): number {
  for (let at = begin; ; ) {
    at = text.indexOf('"', at + 1);
    if (at === -1) throw new Error("a stored record holds a text that does not end");
    // A quote is escaped when an odd number of backslashes stands before it.
    let before = at - 1;
    while (text.charCodeAt(before) === backslash) before--;
    if ((at - before) % 2 === 1) return at + 1;
  }
}

function afterMany(text: string, begin: number): number {
  let depth = 0;
  for (let at = begin; at < text.length; ) {
    const code = text.charCodeAt(at);
    if (code === quote) at = afterText(text, at);
    else {
      at++;
      if (code === openList || code === openObject) depth++;
      else if ((code === closeList || code === closeObject) && --depth === 0) return at;
    }
  }
  throw new Error("a stored record holds a list that does not end");
}
