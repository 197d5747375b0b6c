// For the process under test: shortens the pauses of background work to a twentieth.
import { syncBuiltinESMExports } from "node:module";
import timers from "node:timers/promises";

const { setTimeout: wait } = timers;

timers.setTimeout = (ms, ...rest) => wait((ms ?? 0) / 20, ...rest);
syncBuiltinESMExports();
