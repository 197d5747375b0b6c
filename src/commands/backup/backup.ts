// `backup`: a consistent copy of a SQLite database, taken while servers use it, checked before it gets its name.
import { existsSync, realpathSync, statSync } from "node:fs";
import { type Config, UsageError } from "../../config.ts";
import { progress } from "../../ingest/progress.ts";
import { catalog } from "../../resources/catalog.ts";
import { isPostgres } from "../../settings/setting.ts";
import { openMoment, type Pages, removePartial, writeCopy } from "../../store/sqlite/file/backup.ts";
import { type Checked, check } from "../../store/sqlite/file/integrity-check.ts";
import { StoreError } from "../../store/store.ts";
import { type Command, say } from "../command.ts";

export const backupCommand: Command = {
  mostWords: 1,
  settings: ["database"],
  options: { force: { help: "replace FILE when it is there" } },
  run: async ({ words: [file], config, options }) => {
    if (file === undefined) throw new UsageError("FILE: expected a name for the copy");
    const database = sqliteFile(config, "backup", `pg_dump --format=custom --file="${file}"`);
    if (!existsSync(database)) throw new UsageError(`--database: there is no database at "${database}"`);
    refuseSame(file, database);
    if (existsSync(file) && options.force !== true) {
      throw new UsageError(`FILE: "${file}" is there already; expected a new name, or --force to replace it`);
    }
    const source = openMoment(database, { still: false });
    const untidy = onSignal(() => removePartial(file));
    const bar = pagesBar("backup");
    try {
      let checked: Checked | undefined;
      await writeCopy(source, file, {
        replace: options.force === true,
        mode: statSync(database).mode & 0o777,
        onProgress: bar.update,
        approve: (copy) => {
          bar.end();
          checked = check(copy, catalog);
          if (checked.faults.length === 0) return;
          throw new StoreError(`${database} is damaged, and no copy was kept: ${checked.faults.join("; ")}`);
        },
      });
      say(`${file}: ${printCounts(checked)}`);
      return 0;
    } finally {
      bar.end();
      untidy.forget();
      source.close();
    }
  },
};

/** The file of the database; PostgreSQL has tools of its own. */
export function sqliteFile(config: Config, command: string, instead: string): string {
  const database = config.get("database");
  if (isPostgres(database)) {
    throw new UsageError(
      `${command} is for SQLite; for PostgreSQL use its own tools, such as ${instead} (see docs/operations/backup.md)`,
    );
  }
  return database;
}

export function refuseSame(file: string, database: string): void {
  if (existsSync(file) && existsSync(database) && realpathSync(file) === realpathSync(database)) {
    throw new UsageError(`FILE: expected another file than the database "${database}" itself`);
  }
}

export const printCounts = (checked: Checked | undefined): string =>
  Object.entries(checked?.counts ?? {})
    .map(([name, count]) => `${name} ${count}`)
    .join(", ");

/** How far a copy has come, on a terminal. */
export function pagesBar(label: string) {
  let bar: ReturnType<typeof progress> | undefined;
  return {
    update: ({ done, total }: Pages) => {
      bar ??= progress(process.stderr, label, { total, unit: "pages" });
      bar.update({ records: done });
    },
    end: () => bar?.end(),
  };
}

/** Tidies up when the command is interrupted; the process ends as it would have. */
function onSignal(tidy: () => void): { forget(): void } {
  const signals = ["SIGINT", "SIGTERM"] as const;
  const handle = (signal: NodeJS.Signals) => {
    tidy();
    forget();
    process.kill(process.pid, signal);
  };
  const forget = () => {
    for (const signal of signals) process.off(signal, handle);
  };
  for (const signal of signals) process.on(signal, handle);
  return { forget };
}
