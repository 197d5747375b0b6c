// Temporary directories, removed however the benchmark ends: copies of data are large.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const made = new Set<string>();

process.once("exit", () => {
  for (const folder of made) rmSync(folder, { recursive: true, force: true });
});

export type Temporary = { readonly folder: string; remove(): void };

export function temporaryFolder(): Temporary {
  const folder = mkdtempSync(join(tmpdir(), "bellwire-bench-"));
  made.add(folder);
  return {
    folder,
    remove: () => {
      rmSync(folder, { recursive: true, force: true });
      made.delete(folder);
    },
  };
}
