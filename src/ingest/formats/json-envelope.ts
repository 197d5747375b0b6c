// Finds the records inside a response: `{"ratings":[…]}`, `{"ok":true,"data":[…]}`. Everything else in it is skipped.
import type { InputInfo, ParsedRecord } from "./format.ts";
import {
  backslash,
  closeList,
  closeObject,
  colon,
  comma,
  newline,
  openList,
  openObject,
  quote,
} from "./json-element.ts";

/** A longer name is none of ours. */
const maxNameBytes = 256;

/** Scans an object up to the `[` of each list of records. */
export class EnvelopeScan {
  breaks = 0;
  /** Names of the members found, for messages. */
  readonly names: string[] = [];
  /** Whether the last scan ended at a list of records, or at the end of the object. */
  atRecords = false;
  ended = false;
  /** Objects that contain the lists. */
  #level = 1;
  /** Brackets open in a value that is skipped. */
  #depth = 0;
  #inString = false;
  #escaped = false;
  #isName = true;
  #name: number[] = [];
  readonly #keys: ReadonlySet<string>;

  constructor(keys: readonly string[]) {
    this.#keys = new Set(keys);
  }

  /** Returns the offset after the `[` of a list of records or after the object; the chunk's length if neither is found. */
  scan(chunk: Uint8Array, start: number): number {
    this.atRecords = false;
    for (let at = start; at < chunk.length; at++) {
      const byte = chunk[at]!;
      if (byte === newline) this.breaks++;
      if (this.#inString) this.#passString(byte);
      else if (byte === quote) {
        this.#inString = true;
        if (this.#isName) this.#name = [];
      } else if (this.#depth > 0) {
        if (byte === openList || byte === openObject) this.#depth++;
        else if (byte === closeList || byte === closeObject) this.#depth--;
      } else if (this.#passBetween(byte)) return at + 1;
    }
    return chunk.length;
  }

  #passString(byte: number): void {
    if (this.#escaped) this.#escaped = false;
    else if (byte === backslash) this.#escaped = true;
    else if (byte === quote) {
      this.#inString = false;
      return;
    }
    if (this.#isName && this.#depth === 0 && this.#name.length < maxNameBytes) this.#name.push(byte);
  }

  /** Whether a list of records begins, or the object ends. */
  #passBetween(byte: number): boolean {
    if (byte === colon) {
      this.#isName = false;
      if (this.names.length < 10) this.names.push(this.#text());
    } else if (byte === comma) this.#isName = true;
    else if (byte === closeObject) {
      this.#level--;
      this.ended = this.#level === 0;
      return this.ended;
    } else if (byte === openList || byte === openObject) {
      const isOurs = !this.#isName && this.#keys.has(this.#text());
      this.atRecords = isOurs && byte === openList;
      if (this.atRecords) return true;
      if (isOurs) {
        this.#level++;
        this.#isName = true;
      } else this.#depth++;
    }
    return false;
  }

  #text(): string {
    return Buffer.from(this.#name).toString("utf8");
  }
}

/** Replaces each value that is an array, or a response with its records under one of the keys, by the records in it. */
export async function* expandEnvelopes(
  lines: AsyncIterable<ParsedRecord[]>,
  keys: readonly string[],
  info: InputInfo,
): AsyncGenerator<ParsedRecord[]> {
  for await (const batch of lines) {
    yield batch.flatMap((record) => {
      const found = "value" in record ? recordsIn(record.value, keys) : undefined;
      if (found === undefined) return [record];
      info.values = "foreign";
      return found.map((value) => ({ line: record.line, value }));
    });
  }
}

function recordsIn(value: unknown, keys: readonly string[]): unknown[] | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  if (Array.isArray(value)) return value;
  const found = keys.find((key) => Object.hasOwn(value, key) && Array.isArray((value as Record<string, unknown>)[key]));
  return found === undefined ? undefined : ((value as Record<string, unknown>)[found] as unknown[]);
}
