// Size metrics of a SQLite database.
import { statSync } from "node:fs";
import { type Family, gauge } from "../../metrics/family.ts";

export function fileMetrics(file: string): Family[] {
  const samples = [
    { part: "database", name: file },
    { part: "log", name: `${file}-wal` },
  ].map(({ part, name }) => ({
    labels: { part },
    value: statSync(name, { throwIfNoEntry: false })?.size ?? 0,
  }));
  return [gauge("bellwire_database_bytes", "Size of the SQLite file and of its write-ahead log.", samples, "max")];
}
