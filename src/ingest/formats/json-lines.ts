// NDJSON: one JSON value per line. An invalid line is reported, and reading continues with the next one.
import { PendingBytes, withoutBom } from "./bytes.ts";
import { maxRecordBytes, type ParsedRecord } from "./format.ts";
import { parseJsonRecord, tooLarge } from "./json-text.ts";

const newline = 0x0a;

/** The records of NDJSON text; one batch per chunk that ends a line. */
export async function* readJsonLines(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<ParsedRecord[]> {
  const pending = new PendingBytes();
  let line = 1;
  let skipping = false;

  for await (const chunk of withoutBom(bytes)) {
    const batch: ParsedRecord[] = [];
    let start = 0;
    for (let end = chunk.indexOf(newline); end !== -1; end = chunk.indexOf(newline, start)) {
      let loose: ParsedRecord | undefined;
      if (skipping) {
        skipping = false;
      } else if (pending.length > 0) {
        pending.append(chunk.subarray(start, end));
        loose = parseJsonRecord(pending.bytes, 0, pending.length, line);
        pending.clear();
      } else {
        loose = parseJsonRecord(chunk, start, end, line);
      }
      if (loose !== undefined) batch.push(loose);
      line++;
      start = end + 1;
    }
    if (!skipping && pending.length + chunk.length - start > maxRecordBytes) {
      batch.push({ line, problem: tooLarge });
      pending.clear();
      skipping = true;
    } else if (!skipping && start < chunk.length) {
      pending.append(chunk.subarray(start));
    }
    if (batch.length > 0) yield batch;
  }

  const last = parseJsonRecord(pending.bytes, 0, pending.length, line);
  if (last !== undefined) yield [last];
}
