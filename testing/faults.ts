// Faults of a server under test: the next requests get them in a header, as those of clients in test mode do.
import type { IncomingMessage } from "node:http";
import { faultHeader, parseFault } from "../src/core/fault-injection.ts";
import { requireKnownNames } from "./known-names.ts";
import type { Fault } from "./types.ts";

const faultNames = ["status", "retryAfter", "delayMs", "cut", "truncate", "times", "path"] satisfies (keyof Fault)[];

type Pending = { readonly text: string; readonly path: string; left: number };

export class FaultQueue {
  readonly #pending: Pending[] = [];

  add(fault: Fault): void {
    requireKnownNames("fault", fault, faultNames);
    const { times = 1, path = "/" } = fault;
    const text = faultText(fault);
    if (!Number.isInteger(times) || times < 1) throw new TypeError(`fault: expected times from 1, got ${times}`);
    this.#pending.push({ text, path, left: times });
  }

  /** Marks the request with the first fault that applies to it. */
  inject(request: IncomingMessage): void {
    const fault = this.#pending.find(({ path }) => request.url?.startsWith(path));
    if (fault === undefined) return;
    request.headers[faultHeader.toLowerCase()] = fault.text;
    if (--fault.left === 0) this.#pending.splice(this.#pending.indexOf(fault), 1);
  }
}

function faultText({ status, retryAfter, delayMs, cut, truncate }: Fault): string {
  const parts = [
    delayMs === undefined ? "" : `delay=${Math.round(delayMs)}ms`,
    status === undefined ? "" : `status=${status}`,
    status === undefined && retryAfter === undefined ? "" : `retry-after=${retryAfter ?? 0}`,
    cut ? "cut" : "",
    truncate ? "truncate" : "",
  ].filter((part) => part !== "");
  const text = parts.join(", ");
  if (text === "" || "error" in parseFault(text)) {
    throw new TypeError(
      `fault: expected delayMs up to 300000, and at most one of status from 400 to 599 (with retryAfter), cut, truncate; got ${text || "nothing"}`,
    );
  }
  return text;
}
