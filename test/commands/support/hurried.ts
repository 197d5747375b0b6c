// For the process under test: what it waits for between two turns of its work comes twenty times as soon.
import { syncBuiltinESMExports } from "node:module";
import timers from "node:timers/promises";

const { setTimeout: wait } = timers;

timers.setTimeout = (ms, ...rest) => wait((ms ?? 0) / 20, ...rest);
syncBuiltinESMExports();
