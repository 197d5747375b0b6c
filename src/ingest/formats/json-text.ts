// One JSON record out of its bytes, or what is wrong with it in a line that can be shown beside its place in the file.
import { isUtf8 } from "node:buffer";
import { type Loose, largestRecordBytes, notUtf8 } from "./format.ts";

export const tooLarge = `larger than ${largestRecordBytes / 1024 / 1024} MiB, or a quote or bracket is not closed; skipped`;

/** The record in `buffer` between two offsets, which begins on `line`; undefined where there are only blanks. */
export function looseJson(buffer: Buffer, start: number, end: number, line: number): Loose | undefined {
  if (end - start > largestRecordBytes) return { line, problem: tooLarge };
  let first = start;
  while (first < end && isBlank(buffer[first])) first++;
  // The parser would throw, which takes ten times as long as a record does; a body may be nothing but empty lines.
  if (first === end) return undefined;
  const text = buffer.toString("utf8", start, end);
  // Bad bytes decode to U+FFFD, which may also stand in the file as itself: only then are the bytes looked at again.
  if (text.includes("\uFFFD") && !isUtf8(buffer.subarray(start, end))) return { line, problem: notUtf8 };
  try {
    return { line, value: JSON.parse(text) };
  } catch (error) {
    return { line, problem: `not valid JSON: ${shortened((error as Error).message, line)}` };
  }
}

const isBlank = (byte: number | undefined): boolean => byte === 0x20 || byte === 0x09 || byte === 0x0d || byte === 0x0a;

/** The parser counts places from the start of the record; a reader of the report counts lines of the file. */
function shortened(message: string, line: number): string {
  const placed = message
    .replace(/ (in|after) JSON at position \d+ \(line (\d+) column (\d+)\)$/, (_, where, row, column) => {
      const place = row === "1" ? `at character ${column}` : `on line ${line + Number(row) - 1}`;
      return where === "in" ? ` ${place}` : ` after the value ${place}`;
    })
    .replace(/ is not valid JSON$/, "")
    .replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, " ");
  return placed.length > 160 ? `${placed.slice(0, 159)}…` : placed;
}
