// Structured logs without keys: JSON lines, or readable text on a terminal.
import type { FastifyBaseLogger } from "fastify";
import { pino } from "pino";
import { redactKeys } from "../../keys/redact.ts";
import { readableLine } from "./log-format.ts";
import type { LogFormat, LogLevel } from "./log-level.ts";

export type { LogFormat, LogLevel };

export type Log = FastifyBaseLogger & { isLevelEnabled(level: LogLevel): boolean };

type Lines = { write(line: string): unknown };

/** Keys are redacted from the whole line, wherever they appear: errors, URLs, headers. */
export function createLog(level: LogLevel, out: Lines = logOutput("auto")): Log {
  return pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
    },
    { write: (line: string) => void out.write(redactKeys(line)) },
  );
}

export function logOutput(format: LogFormat, out: Lines & { readonly isTTY?: boolean } = process.stderr): Lines {
  const lines = batched(out);
  const isTerminal = out.isTTY === true;
  if (format === "json" || (format === "auto" && !isTerminal)) return lines;
  // Clears a progress bar, which is redrawn below.
  const clear = isTerminal ? "\r\x1b[K" : "";
  return { write: (line) => lines.write(`${clear}${readableLine(line)}`) };
}

/** One write per event loop iteration: under load, a write per line would cost more than the response. */
function batched(out: Lines): Lines {
  let lines = "";
  const flush = () => {
    if (lines !== "") out.write(lines);
    lines = "";
  };
  process.on("exit", flush);
  return {
    write: (line) => {
      if (lines === "") setImmediate(flush);
      lines += line;
    },
  };
}

/** Redacts the token, whatever its value and however its name is spelled. */
export function loggedUrl(url: string): string {
  const cut = url.indexOf("?");
  if (cut === -1) return url;
  const pairs = url.slice(cut + 1).split("&");
  return `${url.slice(0, cut)}?${pairs.map((pair) => (isToken(pair.split("=", 1)[0] ?? "") ? "token=…" : pair)).join("&")}`;
}

/** Whether a parameter name, as sent, may be meant as `token`. */
export function isToken(name: string): boolean {
  if (/^[\w[\]]+$/.test(name)) return name.toLowerCase() === "token";
  try {
    return decodeURIComponent(name.replaceAll("+", " ")).trim().toLowerCase() === "token";
  } catch {
    // A name that can't be decoded may be.
    return true;
  }
}
