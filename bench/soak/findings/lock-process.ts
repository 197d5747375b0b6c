// A process that holds SQLite's write lock for a while, as a backup or a long import might.
import { DatabaseSync } from "node:sqlite";

const [file = "", seconds = "0"] = process.argv.slice(2);
const database = new DatabaseSync(file, { timeout: 10_000 });
database.exec("begin immediate");
process.send?.("locked");
setTimeout(() => {
  database.exec("rollback");
  database.close();
  process.exit(0);
}, Number(seconds) * 1000);
