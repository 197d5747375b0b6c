// `restore`: verifies a backup and replaces a SQLite database with it; the previous database is retained.
import { existsSync } from "node:fs";
import { UsageError } from "../../config.ts";
import { catalog } from "../../resources/catalog.ts";
import { openSnapshot } from "../../store/sqlite/file/backup.ts";
import { checkIntegrity } from "../../store/sqlite/file/integrity-check.ts";
import { databaseExists, replaceDatabase } from "../../store/sqlite/file/restore.ts";
import { type Command, print, printError } from "../command.ts";
import { pageProgress, printCounts, rejectSameFile, sqliteFile } from "./backup.ts";

export const restoreCommand: Command = {
  maxArgs: 1,
  settings: ["database"],
  options: {
    force: { help: "replace an existing database; its file is saved with the suffix .before-restore" },
  },
  run: async ({ args: [file], config, options }) => {
    if (file === undefined) throw new UsageError("FILE: expected a file written by backup");
    const database = sqliteFile(config, "restore", `pg_restore --clean --if-exists --dbname=DATABASE "${file}"`);
    if (!existsSync(file)) throw new UsageError(`FILE: "${file}" does not exist`);
    rejectSameFile(file, database);
    if (databaseExists(database) && options.force !== true) {
      throw new UsageError(`--database: "${database}" already exists; expected no database, or --force to replace it`);
    }
    const source = openSnapshot(file, { isUnused: true });
    const bars = { keeping: pageProgress("saving the old database"), restoring: pageProgress("restore") };
    try {
      const checked = checkIntegrity(source, catalog);
      for (const fault of checked.errors) printError(`${file}: ${fault}`);
      if (checked.errors.length > 0) {
        printError(`restore: "${file}" is not an intact backup; nothing was changed`);
        return 1;
      }
      const previous = await replaceDatabase(source, database, (doing, pages) => bars[doing].update(pages));
      if (previous !== undefined) printError(`the previous database was saved as ${previous}`);
      print(`${database}: ${printCounts(checked)}`);
      return 0;
    } finally {
      for (const bar of Object.values(bars)) bar.end();
      source.close();
    }
  },
};
