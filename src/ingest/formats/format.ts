// Shared by all formats: the shape of a parsed record, and the format of a file by its name. Formats know no resource;
// records are validated elsewhere.

/** One record: its first line, from 1, and its unvalidated value or what is wrong with it. */
export type ParsedRecord = { line: number; value: unknown } | { line: number; problem: string };

/**
 * Parses the text of a CSV cell; undefined leaves it as text. Only CSV needs it, because all its cells are text.
 * If it throws, the record is refused with the column's name and the error's message.
 */
export type CellParser = (column: string, text: string) => unknown;

export type FormatName = "json" | "ndjson" | "csv";

/** How messages refer to the input. */
export type InputKind = {
  readonly what: string /** Hint for input with one object per line. */;
  readonly lines: string;
};

export const fileInput: InputKind = {
  what: "the file",
  lines: "a file with one object on each line is named .ndjson",
};

/** A larger record is skipped, so that one missing quote can't pull a whole file into memory. */
export const maxRecordBytes = 16 * 1024 * 1024;

export const notUtf8 = "not valid UTF-8 text";

/** For messages about file names. */
export const knownExtensions = ".json, .ndjson, .jsonl or .csv, each also with .gz";

/** The format of a file by its name; "-", standard input, is NDJSON. Undefined when the extension is unknown. */
export function formatOf(file: string): { format: FormatName; gzip: boolean } | undefined {
  if (file === "-") return { format: "ndjson", gzip: false };
  const match = /\.(json|ndjson|jsonl|csv)(\.gz)?$/i.exec(file);
  if (match === null) return undefined;
  const ending = match[1]!.toLowerCase();
  return { format: ending === "jsonl" ? "ndjson" : (ending as FormatName), gzip: match[2] !== undefined };
}
