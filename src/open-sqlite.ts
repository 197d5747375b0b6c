// Opens a SQLite database whose threads run this program's catalog.
import { extname } from "node:path";
import { openSqlite as open, type SqliteOptions } from "./store/sqlite/sqlite.ts";
import { Thread } from "./store/sqlite/threads/thread.ts";
import type { Store } from "./store/store.ts";

/** `.ts` in a checkout, `.js` in the package. */
const program = new URL(`./sqlite-thread${extname(import.meta.url)}`, import.meta.url);

/** Starts a thread before there is a database for it. */
export const startThread = (): void => Thread.prepare(program);

export const openSqlite = (options: Omit<SqliteOptions, "program">): Store => open({ ...options, program });
