// Starts the thread for SQLite while the rest of the kit is loaded: the first server of a process then starts sooner.
import { startThread } from "../src/open-sqlite.ts";

startThread();
