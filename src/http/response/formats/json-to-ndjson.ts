// Separates the records of a page by line breaks, in one pass over the bytes: they stay as they are in JSON.
import { freeBuffer, type JoinedRecords, minPooledBytes, PooledBuffer, type ResponseBody } from "../buffer-pool.ts";

const [newline, quote, comma, backslash] = [0x0a, 0x22, 0x2c, 0x5c];
const [openList, closeList, openObject, closeObject] = [0x5b, 0x5d, 0x7b, 0x7d];

/** One line per record; nothing if there are none. */
export function ndjsonPage(records: JoinedRecords): ResponseBody {
  const length = typeof records === "string" ? Buffer.byteLength(records) : records.length;
  if (length === 0) return "";
  const page = new PooledBuffer(length + 1);
  if (typeof records === "string") page.bytes.write(records);
  else {
    page.bytes.set(records);
    freeBuffer(records);
  }
  separate(page.bytes, length);
  page.bytes[length] = newline;
  if (length >= minPooledBytes) return page;
  const text = page.bytes.toString();
  page.release();
  return text;
}

/** The same in place, where possible: the records, then the last line break. */
export function ndjsonLines(records: JoinedRecords): [Uint8Array, string] {
  const bytes = typeof records === "string" ? Buffer.from(records) : records;
  separate(bytes, bytes.length);
  return [bytes, bytes.length === 0 ? "" : "\n"];
}

/** Replaces the commas between records. JSON text never contains a raw line break. */
function separate(bytes: Uint8Array, length: number): void {
  let depth = 0;
  for (let at = 0; at < length; at++) {
    switch (bytes[at]) {
      case quote:
        for (at++; at < length && bytes[at] !== quote; at++) if (bytes[at] === backslash) at++;
        break;
      case openList:
      case openObject:
        depth++;
        break;
      case closeList:
      case closeObject:
        depth--;
        break;
      case comma:
        if (depth === 0) bytes[at] = newline;
    }
  }
}
