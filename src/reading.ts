// The program of the thread that reads pages of a SQLite database.
import { catalog } from "./resources/catalog.ts";
import { serveReads } from "./store/sqlite/serve-reads.ts";

serveReads(catalog);
