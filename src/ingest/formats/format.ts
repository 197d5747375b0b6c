// Shared by all formats: the shape of a parsed record, and the format of a file by its name. Formats know no resource;
// records are validated elsewhere.

import type { Compression } from "./decompress.ts";

/** One record: its first line, from 1, and its unvalidated value or what is wrong with it. */
export type ParsedRecord = { line: number; value: unknown } | { line: number; problem: string };

export type FormatName = "json" | "ndjson" | "csv" | "parquet";

/** Formats of records as text. */
export type TextFormat = Exclude<FormatName, "parquet">;

/** What a reader learns about its input; set before the first records are returned. */
export type InputInfo = {
  /** The columns of formats that have a header. */
  columns?: readonly string[];
  /** How far values may differ from the import format: every cell is text, or they are in another program's types. */
  values?: "text" | "foreign";
};

/** How messages refer to the input. */
export type InputKind = {
  readonly what: string /** Hint for input with one object per line. */;
  readonly lines: string;
  /** Names under which a response holds its records; none if the input must be an array. */
  readonly envelopeKeys?: readonly string[];
};

export const fileInput: InputKind = {
  what: "the file",
  lines: "a file with one object on each line is named .ndjson",
};

/** A larger record is skipped, so that one missing quote can't pull a whole file into memory. */
export const maxRecordBytes = 16 * 1024 * 1024;

export const notUtf8 = "not valid UTF-8 text";

/** For messages about file names. */
export const knownExtensions = ".json, .ndjson, .jsonl, .csv or .tsv, each also with .gz or .zst, or .parquet";

export type FileFormat = {
  readonly format: FormatName;
  readonly compression?: Compression;
  /** Of columns; detected if undefined. */
  readonly delimiter?: string;
};

const formats: Readonly<Record<string, FileFormat>> = {
  json: { format: "json" },
  ndjson: { format: "ndjson" },
  jsonl: { format: "ndjson" },
  csv: { format: "csv" },
  tsv: { format: "csv", delimiter: "\t" },
};

/** The format of a file by its name; "-", standard input, is NDJSON. Undefined when the extension is unknown. */
export function formatOf(file: string): FileFormat | undefined {
  if (file === "-") return { format: "ndjson" };
  if (/\.parquet$/i.test(file)) return { format: "parquet" };
  const [, ending = "", compressed] = /\.(json|ndjson|jsonl|csv|tsv)(\.gz|\.zst)?$/i.exec(file) ?? [];
  const known = formats[ending.toLowerCase()];
  if (known === undefined || compressed === undefined) return known;
  return { ...known, compression: compressed.toLowerCase() === ".gz" ? "gzip" : "zstd" };
}
