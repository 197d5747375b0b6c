// For tests of formats: bytes in chunks of any size, and everything a reader returns.
import fc from "fast-check";
import type { ParsedRecord } from "../../src/ingest/formats/format.ts";
import { codePoint } from "../support/records/code-points.ts";

/** The bytes in chunks of these sizes, used repeatedly. */
export async function* inPieces(
  content: string | Uint8Array,
  sizes: readonly number[] = [65536],
): AsyncGenerator<Uint8Array> {
  const bytes = typeof content === "string" ? Buffer.from(content) : content;
  for (let at = 0, turn = 0; at < bytes.length; turn++) {
    const size = sizes[turn % sizes.length]!;
    yield bytes.subarray(at, at + size);
    at += size;
  }
}

/** Sizes that put boundaries everywhere: inside characters, escapes, and line breaks. */
export const pieceSizes = fc.array(fc.oneof(fc.integer({ min: 1, max: 7 }), fc.integer({ min: 1, max: 300 })), {
  minLength: 1,
  maxLength: 6,
});

export async function all(batches: AsyncIterable<ParsedRecord[]>): Promise<ParsedRecord[]> {
  const found: ParsedRecord[] = [];
  for await (const batch of batches) for (const loose of batch) found.push(loose);
  return found;
}

export function problems(found: readonly ParsedRecord[]): { line: number; problem: string }[] {
  return found.filter((loose) => "problem" in loose);
}

export function values(found: readonly ParsedRecord[]): unknown[] {
  return found.filter((loose) => "value" in loose).map((loose) => loose.value);
}

export async function joined(texts: AsyncIterable<string>): Promise<string> {
  let text = "";
  for await (const part of texts) text += part;
  return text;
}

/** Text that formats trip over: quotes, backslashes, line breaks of all kinds, wide characters, brackets. */
export const nastyText = fc.string({
  unit: fc.oneof(
    fc.constantFrom('"', "\\", "\n", "\r", "\r\n", "\t", "\u2028", "\u2029", "\u0000", "\uFEFF", "\uFFFD"),
    fc.constantFrom(",", ";", ":", "[", "]", "{", "}", '"",', "\\u00", "😀", "é", "漢", " "),
    fc.string({ unit: codePoint, minLength: 1, maxLength: 3 }),
  ),
  maxLength: 30,
});
