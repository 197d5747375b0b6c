// Writes records in the formats that can be read; reading them back gives the same records.
import { csvHeader, csvRow } from "../../core/text/csv-row.ts";
import type { TextFormat } from "./format.ts";

const chunkLength = 64 * 1024;

/** The records as text, in chunks of about 64 kB. `columns` are for CSV; the other formats write whole objects. */
export async function* writeRecords(
  records: AsyncIterable<object> | Iterable<object>,
  format: TextFormat,
  columns: readonly string[],
): AsyncGenerator<string> {
  const { before, between, after, write } = writers(columns)[format];
  let text = before;
  let count = 0;
  for await (const record of records) {
    if (count++ > 0) text += between;
    text += write(record);
    if (text.length < chunkLength) continue;
    yield text;
    text = "";
  }
  text = count === 0 && format === "json" ? "[]\n" : text + after;
  if (text !== "") yield text;
}

type Writer = { before: string; between: string; after: string; write(record: object): string };

function writers(columns: readonly string[]): Record<TextFormat, Writer> {
  return {
    json: { before: "[\n", between: ",\n", after: "\n]\n", write: JSON.stringify },
    ndjson: { before: "", between: "", after: "", write: (record) => `${JSON.stringify(record)}\n` },
    csv: {
      before: csvHeader(columns),
      between: "",
      after: "",
      write: (record) => csvRow(columns.map((column) => cellOf(record, column))),
    },
  };
}

function cellOf(record: object, column: string): string {
  // hasOwn: a column may be named toString.
  const value = Object.hasOwn(record, column) ? (record as Record<string, unknown>)[column] : undefined;
  if (value === undefined || value === null) return "";
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}
