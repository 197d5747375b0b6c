// Access log: one line per response, and an event for metrics and usage.
import type { IncomingMessage } from "node:http";
import type { Scope } from "../../core/access/scope.ts";
import { type Log, loggedUrl } from "./log.ts";

type Use = Scope | "stream" | "other";

/** One object per route, so that metrics can be looked up by identity. */
export type Route = {
  readonly use: Use;
  /** Name of the list or resource; empty if there is none. */
  readonly resource: string;
};

/** Documents, health checks, unknown paths. */
export const noRoute: Route = { use: "other", resource: "" };

type AccessLogEntry = {
  readonly request: IncomingMessage;
  readonly id: string;
  readonly route: Route;
  readonly status: number;
  /** From the request's arrival until the response was handed to the connection. */
  readonly ms: number;
  /** Of the body as sent. */
  readonly bytes: number;
  /** In the response, or in the body of the request. */
  readonly records: number;
  /** Whether no record was read for it. */
  readonly fromCache: boolean;
  /** Name of the key; empty if unknown. */
  readonly key: string;
  /** ID of the link that was used; empty without one. */
  readonly link: string;
};

/** Called for every response: must cost next to nothing. */
export type Observer = (entry: AccessLogEntry) => void;

export function accessLog(log: Log, observers: readonly Observer[]): Observer {
  const isLogged = log.isLevelEnabled("info");
  return (entry) => {
    for (let at = 0; at < observers.length; at++) (observers[at] as Observer)(entry);
    if (isLogged) logEntry(log, entry);
  };
}

function logEntry(log: Log, { request, id, status, ms, bytes, key, link }: AccessLogEntry): void {
  const { method, url = "" } = request;
  const fields = { request_id: id, method, url: loggedUrl(url), status, ms: Math.round(ms * 1000) / 1000, bytes, key };
  log.info(link === "" ? fields : { ...fields, link }, "request");
}
