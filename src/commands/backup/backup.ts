// `backup`: writes a consistent copy of a SQLite database that may be in use, and verifies it before naming it.
import { existsSync, realpathSync, statSync } from "node:fs";
import { type Config, UsageError } from "../../config.ts";
import { progress } from "../../ingest/progress.ts";
import { catalog } from "../../resources/catalog.ts";
import { isPostgres } from "../../settings/setting.ts";
import { openSnapshot, type PageProgress, removePartial, writeCopy } from "../../store/sqlite/file/backup.ts";
import { checkIntegrity, type IntegrityReport } from "../../store/sqlite/file/integrity-check.ts";
import { StoreError } from "../../store/store.ts";
import { type Command, print } from "../command.ts";

export const backupCommand: Command = {
  maxArgs: 1,
  settings: ["database"],
  options: { force: { help: "replace FILE if it exists" } },
  run: async ({ args: [file], config, options }) => {
    if (file === undefined) throw new UsageError("FILE: expected a name for the backup");
    const database = sqliteFile(config, "backup", `pg_dump --format=custom --file="${file}"`);
    if (!existsSync(database)) throw new UsageError(`--database: there is no database at "${database}"`);
    rejectSameFile(file, database);
    if (existsSync(file) && options.force !== true) {
      throw new UsageError(`FILE: "${file}" already exists; expected a new name, or --force to replace it`);
    }
    const source = openSnapshot(database, { isUnused: false });
    const cleanup = cleanUpOnSignal(() => removePartial(file));
    const bar = pageProgress("backup");
    try {
      let checked: IntegrityReport | undefined;
      await writeCopy(source, file, {
        replace: options.force === true,
        mode: statSync(database).mode & 0o777,
        onProgress: bar.update,
        approve: (copy) => {
          bar.end();
          checked = checkIntegrity(copy, catalog);
          if (checked.errors.length === 0) return;
          throw new StoreError(`${database} is damaged, so no backup was written: ${checked.errors.join("; ")}`);
        },
      });
      print(`${file}: ${printCounts(checked)}`);
      return 0;
    } finally {
      bar.end();
      cleanup.cancel();
      source.close();
    }
  },
};

/** The database file; rejects PostgreSQL, which has its own tools. */
export function sqliteFile(config: Config, command: string, instead: string): string {
  const database = config.get("database");
  if (isPostgres(database)) {
    throw new UsageError(
      `${command} supports SQLite only; for PostgreSQL, use its own tools, such as ${instead} (see docs/operations/backup.md)`,
    );
  }
  return database;
}

export function rejectSameFile(file: string, database: string): void {
  if (existsSync(file) && existsSync(database) && realpathSync(file) === realpathSync(database)) {
    throw new UsageError(`FILE: expected a file other than the database "${database}" itself`);
  }
}

export const printCounts = (checked: IntegrityReport | undefined): string =>
  Object.entries(checked?.counts ?? {})
    .map(([name, count]) => `${name} ${count}`)
    .join(", ");

/** Progress bar of a copy, in pages. */
export function pageProgress(label: string) {
  let bar: ReturnType<typeof progress> | undefined;
  return {
    update: ({ done, total }: PageProgress) => {
      bar ??= progress(process.stderr, label, { total, unit: "pages" });
      bar.update({ records: done });
    },
    end: () => bar?.end(),
  };
}

/** Cleans up when the command is interrupted, then lets the signal end the process. */
function cleanUpOnSignal(tidy: () => void): { cancel(): void } {
  const signals = ["SIGINT", "SIGTERM"] as const;
  const handle = (signal: NodeJS.Signals) => {
    tidy();
    cancel();
    process.kill(process.pid, signal);
  };
  const cancel = () => {
    for (const signal of signals) process.off(signal, handle);
  };
  for (const signal of signals) process.on(signal, handle);
  return { cancel };
}
