// Opens the log of a command as configured.
import type { Config } from "../../config.ts";
import { type Log, type LogFormat, type LogLevel, logOutput, makeLog } from "../../http/observe/log.ts";

export const openLog = (config: Config): Log =>
  makeLog(config.get("log-level") as LogLevel, logOutput(config.get("log-format") as LogFormat));
