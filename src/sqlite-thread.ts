// The program of a thread that runs SQLite.
import { catalog } from "./resources/catalog.ts";
import { serveThread } from "./store/sqlite/threads/serve.ts";

serveThread(catalog);
