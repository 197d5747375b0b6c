// What the readers and the writer of files share: the shape of one record as read, and which file is in which format.
// Formats know no resource: whether a record is a good one is decided elsewhere.

/** One record as read: where it stood (its first line, from 1), and the loose object or what was wrong with it. */
export type Loose = { line: number; value: unknown } | { line: number; problem: string };

/**
 * How the text of a CSV cell becomes a value; undefined keeps the text. Only CSV has need of it: its cells are all text.
 * A reader that throws refuses the record, with the column's name and the message of the error.
 */
export type CellReader = (column: string, text: string) => unknown;

export type FormatName = "json" | "ndjson" | "csv";

/** What the bytes came in, in the words of a report. */
export type Carrier = {
  readonly what: string /** How one object on each line is announced. */;
  readonly lines: string;
};

export const fileCarrier: Carrier = {
  what: "the file",
  lines: "a file with one object on each line is named .ndjson",
};

/** A larger record is refused and skipped, so that one missing quote cannot pull a whole file into memory. */
export const largestRecordBytes = 16 * 1024 * 1024;

/** Said of a record whose bytes are not text. */
export const notUtf8 = "not valid UTF-8 text";

/** Said wherever a file name is refused. */
export const knownEndings = ".json, .ndjson, .jsonl or .csv, each also with .gz";

/** The format of a file by its name; "-", standard input, is NDJSON. Undefined when the ending is not a known one. */
export function formatOf(file: string): { format: FormatName; gzip: boolean } | undefined {
  if (file === "-") return { format: "ndjson", gzip: false };
  const match = /\.(json|ndjson|jsonl|csv)(\.gz)?$/i.exec(file);
  if (match === null) return undefined;
  const ending = match[1]!.toLowerCase();
  return { format: ending === "jsonl" ? "ndjson" : (ending as FormatName), gzip: match[2] !== undefined };
}
