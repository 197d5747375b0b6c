// Parses one JSON record from its bytes, or explains in one line what is wrong with it.
import { isUtf8 } from "node:buffer";
import { maxRecordBytes, notUtf8, type ParsedRecord } from "./format.ts";

export const tooLarge = `larger than ${maxRecordBytes / 1024 / 1024} MiB, or a quote or bracket is not closed; skipped`;

/** The record between two offsets of `buffer`, which begins on `line`; undefined when there is only whitespace. */
export function parseJsonRecord(buffer: Buffer, start: number, end: number, line: number): ParsedRecord | undefined {
  if (end - start > maxRecordBytes) return { line, problem: tooLarge };
  let first = start;
  while (first < end && isBlank(buffer[first])) first++;
  // JSON.parse would throw, which takes ten times as long as parsing a record; a body may consist of empty lines.
  if (first === end) return undefined;
  const text = buffer.toString("utf8", start, end);
  // Invalid bytes decode to U+FFFD, which may also be in the file as such: only then are the bytes checked again.
  if (text.includes("\uFFFD") && !isUtf8(buffer.subarray(start, end))) return { line, problem: notUtf8 };
  try {
    return { line, value: JSON.parse(text) };
  } catch (error) {
    return { line, problem: `not valid JSON: ${shortMessage((error as Error).message, line)}` };
  }
}

const isBlank = (byte: number | undefined): boolean => byte === 0x20 || byte === 0x09 || byte === 0x0d || byte === 0x0a;

/** Converts the parser's position in the record to a line of the file. */
function shortMessage(message: string, line: number): string {
  const converted = message
    .replace(/ (in|after) JSON at position \d+ \(line (\d+) column (\d+)\)$/, (_, where, row, column) => {
      const position = row === "1" ? `at character ${column}` : `on line ${line + Number(row) - 1}`;
      return where === "in" ? ` ${position}` : ` after the value ${position}`;
    })
    .replace(/ is not valid JSON$/, "")
    .replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, " ");
  return converted.length > 160 ? `${converted.slice(0, 159)}…` : converted;
}
