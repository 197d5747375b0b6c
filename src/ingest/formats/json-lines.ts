// NDJSON: one JSON value on each line. A bad line is reported and the next one is read.
import { Pending, withoutMark } from "./bytes.ts";
import { type Loose, largestRecordBytes } from "./format.ts";
import { looseJson, tooLarge } from "./json-text.ts";

const newline = 0x0a;

/** The records of a file with one JSON value on each line; one batch for each piece of bytes that ends a line. */
export async function* readJsonLines(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Loose[]> {
  const pending = new Pending();
  let line = 1;
  let skipping = false;

  for await (const piece of withoutMark(bytes)) {
    const batch: Loose[] = [];
    let start = 0;
    for (let end = piece.indexOf(newline); end !== -1; end = piece.indexOf(newline, start)) {
      let loose: Loose | undefined;
      if (skipping) {
        skipping = false;
      } else if (pending.length > 0) {
        pending.append(piece.subarray(start, end));
        loose = looseJson(pending.bytes, 0, pending.length, line);
        pending.clear();
      } else {
        loose = looseJson(piece, start, end, line);
      }
      if (loose !== undefined) batch.push(loose);
      line++;
      start = end + 1;
    }
    if (!skipping && pending.length + piece.length - start > largestRecordBytes) {
      batch.push({ line, problem: tooLarge });
      pending.clear();
      skipping = true;
    } else if (!skipping && start < piece.length) {
      pending.append(piece.subarray(start));
    }
    if (batch.length > 0) yield batch;
  }

  const last = looseJson(pending.bytes, 0, pending.length, line);
  if (last !== undefined) yield [last];
}
