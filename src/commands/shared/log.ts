// The log of a command, by its settings.
import type { Config } from "../../config.ts";
import { type Log, type LogFormat, type LogLevel, logOutput, makeLog } from "../../http/observe/log.ts";

export const logOf = (config: Config): Log =>
  makeLog(config.get("log-level") as LogLevel, logOutput(config.get("log-format") as LogFormat));
