// `restore`: a copy in the place of a SQLite database, after it has been checked; the database before is kept.
import { existsSync } from "node:fs";
import { UsageError } from "../../config.ts";
import { catalog } from "../../resources/catalog.ts";
import { openMoment } from "../../store/sqlite/file/backup.ts";
import { check } from "../../store/sqlite/file/integrity-check.ts";
import { isTaken, replaceDatabase } from "../../store/sqlite/file/restore.ts";
import { type Command, complain, say } from "../command.ts";
import { pagesBar, printCounts, refuseSame, sqliteFile } from "./backup.ts";

export const restoreCommand: Command = {
  mostWords: 1,
  settings: ["database"],
  options: {
    force: { help: "replace the database when there is one; it is kept with .before-restore at the end of its name" },
  },
  run: async ({ words: [file], config, options }) => {
    if (file === undefined) throw new UsageError("FILE: expected a copy that backup has made");
    const database = sqliteFile(config, "restore", `pg_restore --clean --if-exists --dbname=DATABASE "${file}"`);
    if (!existsSync(file)) throw new UsageError(`FILE: there is no file "${file}"`);
    refuseSame(file, database);
    if (isTaken(database) && options.force !== true) {
      throw new UsageError(`--database: there is a database at "${database}"; expected none, or --force to replace it`);
    }
    const source = openMoment(file, { still: true });
    const bars = { keeping: pagesBar("keeping the old"), restoring: pagesBar("restore") };
    try {
      const checked = check(source, catalog);
      for (const fault of checked.faults) complain(`${file}: ${fault}`);
      if (checked.faults.length > 0) {
        complain(`restore: "${file}" is not a whole copy; nothing was changed`);
        return 1;
      }
      const kept = await replaceDatabase(source, database, (doing, pages) => bars[doing].update(pages));
      if (kept !== undefined) complain(`the database before is kept as ${kept}`);
      say(`${database}: ${printCounts(checked)}`);
      return 0;
    } finally {
      for (const bar of Object.values(bars)) bar.end();
      source.close();
    }
  },
};
