// What every answer leaves behind, whichever way it was made: a line of the log, and counts for metrics and usage.
import type { IncomingMessage } from "node:http";
import { type Log, loggedUrl } from "./log.ts";

export type Use = "read" | "write" | "replicate" | "admin" | "other";

/** What an address is for: made once for each, so that a count is found by the object itself. */
export type Route = {
  readonly use: Use;
  /** Name of the list or of the resource that is written; empty where there is none. */
  readonly resource: string;
};

/** Whatever has no route of its own: documents, probes, addresses of nothing. */
export const noRoute: Route = { use: "other", resource: "" };

export type AccessLogEntry = {
  readonly request: IncomingMessage;
  readonly id: string;
  readonly route: Route;
  /** 429 tells that a limit was met. */
  readonly status: number;
  /** From the arrival of the request until its answer was handed to the connection. */
  readonly ms: number;
  /** Of the body, as it was sent. */
  readonly bytes: number;
  /** Answered, or taken from the body of the request. */
  readonly records: number;
  /** Whether no record had to be read for it. */
  readonly fromCache: boolean;
  /** Name of the key that asked; empty when none was known. */
  readonly key: string;
};

/** Called for every answer: what it does must cost next to nothing. */
export type Observer = (answered: AccessLogEntry) => void;

/** The one function that is called once for every answer. */
export function accessLog(log: Log, counts: readonly Observer[]): Observer {
  const logs = log.isLevelEnabled("info");
  return (answered) => {
    for (let at = 0; at < counts.length; at++) (counts[at] as Observer)(answered);
    if (logs) logLine(log, answered);
  };
}

function logLine(log: Log, { request, id, status, ms, bytes, key }: AccessLogEntry): void {
  const { method, url = "" } = request;
  const fields = { request_id: id, method, url: loggedUrl(url), status, ms: Math.round(ms * 1000) / 1000, bytes, key };
  log.info(fields, "answered");
}
