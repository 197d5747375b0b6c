// Structured logs, one JSON object a line, in which no key can appear; on a terminal, lines for people to read.
import type { FastifyBaseLogger } from "fastify";
import { pino } from "pino";
import { redactKeys } from "../../keys/redact.ts";
import { readableLine } from "./log-format.ts";
import type { LogFormat, LogLevel } from "./log-level.ts";

export type { LogFormat, LogLevel };

export type Log = FastifyBaseLogger & { isLevelEnabled(level: LogLevel): boolean };

type Lines = { write(line: string): unknown };

/** Every line passes the same sieve, whatever was logged: errors, addresses, headers. */
export function makeLog(level: LogLevel, out: Lines = logOutput("auto")): Log {
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

/** Where lines of the log go, in the form that suits whoever reads them there. */
export function logOutput(format: LogFormat, out: Lines & { readonly isTTY?: boolean } = process.stderr): Lines {
  const lines = gathered(out);
  const isTerminal = out.isTTY === true;
  if (format === "json" || (format === "auto" && !isTerminal)) return lines;
  // A progress bar may stand on the line; it is drawn anew below.
  const clear = isTerminal ? "\r\x1b[K" : "";
  return { write: (line) => lines.write(`${clear}${readableLine(line)}`) };
}

/** Writes once for all lines of one turn of the event loop: under load a write for each line would cost more than the answer. */
function gathered(out: Lines): Lines {
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

/** A request's address for the log: the token is left out, whatever it is and however its name is spelt. */
export function loggedUrl(url: string): string {
  const cut = url.indexOf("?");
  if (cut === -1) return url;
  const pairs = url.slice(cut + 1).split("&");
  return `${url.slice(0, cut)}?${pairs.map((pair) => (isToken(pair.split("=", 1)[0] ?? "") ? "token=…" : pair)).join("&")}`;
}

/** Whether a name of the query, as it was sent, may be meant for the token. */
export function isToken(name: string): boolean {
  if (/^[\w[\]]+$/.test(name)) return name.toLowerCase() === "token";
  try {
    return decodeURIComponent(name.replaceAll("+", " ")).trim().toLowerCase() === "token";
  } catch {
    // A name that can't be read may be a token's.
    return true;
  }
}
