// For tests that open files: a scratch directory, and records enough to fill several chunks.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ParsedRecord, TextFormat } from "../../src/ingest/formats/format.ts";
import { openRecords } from "../../src/ingest/formats/open.ts";
import { writeRecords } from "../../src/ingest/formats/write.ts";
import { all, joined } from "./pieces.ts";

export const folder = mkdtempSync(join(tmpdir(), "bellwire-formats-"));
// Several test files may share a process; a hook would belong to the first of them.
process.once("exit", () => rmSync(folder, { recursive: true }));

export function fileOf(name: string, content: string | Uint8Array): string {
  const file = join(folder, name);
  writeFileSync(file, content);
  return file;
}

export function read(file: string): Promise<ParsedRecord[]> {
  return all(openRecords(file).records);
}

/** Records that don't compress well, so that a compressed file can be cut in many places. */
export const many = Array.from({ length: 20_000 }, (_, at) => ({
  id: `${at}`,
  text: `${Math.sin(at)}${Math.cos(at)}`,
}));

export function manyAs(format: TextFormat): Promise<string> {
  return joined(writeRecords(many, format, ["id", "text"]));
}
