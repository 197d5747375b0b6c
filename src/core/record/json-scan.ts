// Finds members in the JSON of stored records without parsing it. The JSON is compact, with members sorted by name.
import type { Field } from "../catalog/field.ts";
import type { Json } from "./row.ts";

const [quote, comma, backslash] = [0x22, 0x2c, 0x5c];
const [openList, closeList, openObject, closeObject] = [0x5b, 0x5d, 0x7b, 0x7d];

/** The positions of members in the last record scanned, indexed like the list of names. */
export type MemberScanner = {
  /** Where the member starts, with the quote of its name; -1 if the record doesn't have it. */
  readonly starts: Int32Array;
  /** Where its value starts, and where it ends. */
  readonly values: Int32Array;
  readonly ends: Int32Array;
  /** Scans the record at a position; returns where it ends. */
  readonly scan: (text: string, at: number) => number;
};

/** Finds the `wanted` members. If no value is a list or an object (`isFlat`), it searches for keys, which is much faster. */
export function memberScanner(names: readonly string[], wanted: ReadonlySet<string>, isFlat: boolean): MemberScanner {
  const starts = new Int32Array(names.length);
  const values = new Int32Array(names.length);
  const ends = new Int32Array(names.length);
  const found = { starts, values, ends };
  return { ...found, scan: isFlat ? keySearch(names, wanted, found) : fullScan(names, wanted, found) };
}

export function storedMembers(fields: Readonly<Record<string, Field>>): { stored: string[]; isFlat: boolean } {
  const stored = Object.keys(fields).filter((name) => fields[name]?.shown === "always");
  const isFlat = stored.every((name) => !["array", "object"].includes(String(fields[name]?.schema.type)));
  return { stored, isFlat };
}

export function valueAt(text: string, start: number, end: number): Json {
  if (text.charCodeAt(start) === quote) {
    const value = text.slice(start + 1, end - 1);
    // Without escapes, which is the usual case, no parsing is needed.
    if (!value.includes("\\")) return value;
  }
  return JSON.parse(text.slice(start, end)) as Json;
}

type Positions = Pick<MemberScanner, "starts" | "values" | "ends">;

function fullScan(
  names: readonly string[],
  wanted: ReadonlySet<string>,
  { starts, values, ends }: Positions,
): MemberScanner["scan"] {
  const indexOf = new Map(names.flatMap((name, index) => (wanted.has(name) ? [[name, index]] : [])));
  return (text, start) => {
    starts.fill(-1);
    let at = startOf(text, start);
    while (text.charCodeAt(at) !== closeObject) {
      const nameEnd = text.indexOf('"', at + 1);
      if (nameEnd === -1) throw new Error("unterminated name in a stored record");
      const end = endOfValue(text, nameEnd + 2);
      const index = indexOf.get(text.slice(at + 1, nameEnd));
      if (index !== undefined) {
        starts[index] = at;
        values[index] = nameEnd + 2;
        ends[index] = end;
      }
      at = text.charCodeAt(end) === comma ? end + 1 : end;
    }
    return at + 1;
  };
}

/** A key never matches inside a string: quotes are escaped there, and no name follows the closing quote. */
function keySearch(
  names: readonly string[],
  wanted: ReadonlySet<string>,
  { starts, values, ends }: Positions,
): MemberScanner["scan"] {
  const indexes = names.flatMap((name, index) => (wanted.has(name) ? [index] : []));
  const keys = names.map((name) => `"${name}":`);
  const searched = keys.map((key) => `,${key}`);
  /** Where each key was found last, in this record or a later one, so that absent members aren't searched for again. */
  const seen = new Float64Array(names.length);
  /** Distance of each key from the end of the previous member, which is often the same in the next record. */
  const gaps = new Int32Array(names.length);
  return (text, start) => {
    if (start === 0) seen.fill(-1);
    let at = startOf(text, start) - 1;
    const recordEnd = endOfFlatRecord(text, at);
    for (const index of indexes) {
      const key = keys[index] as string;
      const likely = at + (gaps[index] as number);
      let member = at + 1;
      if (likely < recordEnd && text.startsWith(searched[index] as string, likely)) member = likely + 1;
      else if (!text.startsWith(key, member)) {
        if ((seen[index] as number) < member) {
          const next = text.indexOf(searched[index] as string, at);
          seen[index] = next === -1 ? Number.POSITIVE_INFINITY : next + 1;
        }
        member = seen[index] as number;
      }
      if (member >= recordEnd) starts[index] = -1;
      else {
        gaps[index] = member - 1 - at;
        starts[index] = member;
        values[index] = member + key.length;
        at = endOfValue(text, member + key.length);
        ends[index] = at;
      }
    }
    return recordEnd + 1;
  };
}

/** The position of the first member, or of the closing brace. */
function startOf(text: string, start: number): number {
  if (text.charCodeAt(start) === openObject) return start + 1;
  throw new Error(`a stored record starts with ${JSON.stringify(text.slice(start, start + 20))}`);
}

/** The closing brace of a record without nested objects. Inside a string, `},{"` can't be followed by a name. */
function endOfFlatRecord(text: string, start: number): number {
  for (let at = start; ; at++) {
    at = text.indexOf('},{"', at);
    if (at === -1) break;
    const next = text.charCodeAt(at + 4);
    if (next !== comma && next !== closeObject) return at;
  }
  if (text.charCodeAt(text.length - 1) !== closeObject) throw new Error("truncated stored record");
  return text.length - 1;
}

function endOfValue(text: string, start: number): number {
  const first = text.charCodeAt(start);
  if (first === quote) return endOfString(text, start);
  if (first === openList || first === openObject) return endOfNested(text, start);
  for (let at = start; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === comma || code === closeObject || code === closeList) return at;
  }
  throw new Error("truncated stored record");
}

function endOfString(text: string, start: number): number {
  for (let at = start; ; ) {
    at = text.indexOf('"', at + 1);
    if (at === -1) throw new Error("unterminated string in a stored record");
    // A quote after an odd number of backslashes is escaped.
    let before = at - 1;
    while (text.charCodeAt(before) === backslash) before--;
    if ((at - before) % 2 === 1) return at + 1;
  }
}

function endOfNested(text: string, start: number): number {
  let depth = 0;
  for (let at = start; at < text.length; ) {
    const code = text.charCodeAt(at);
    if (code === quote) at = endOfString(text, at);
    else {
      at++;
      if (code === openList || code === openObject) depth++;
      else if ((code === closeList || code === closeObject) && --depth === 0) return at;
    }
  }
  throw new Error("unterminated list in a stored record");
}
