// Opens the log of a command as configured.
import type { Config } from "../../config.ts";
import { createLog, type Log, type LogFormat, type LogLevel, logOutput } from "../../http/observe/log.ts";

export const openLog = (config: Config): Log =>
  createLog(config.get("log-level") as LogLevel, logOutput(config.get("log-format") as LogFormat));
