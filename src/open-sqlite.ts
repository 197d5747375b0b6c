// Opens a SQLite database with this program's catalog, and threads that have the same.
import { extname } from "node:path";
import { catalog } from "./resources/catalog.ts";
import { openSqlite as open, type SqliteOptions } from "./store/sqlite/sqlite.ts";
import type { Store } from "./store/store.ts";

/** Source and package differ in how their files end. */
const program = new URL(`./sqlite-thread${extname(import.meta.url)}`, import.meta.url);

export const openSqlite = (options: Omit<SqliteOptions, "catalog" | "program">): Store =>
  open({ ...options, catalog, program });
