// Collects the first rejected records of a request for its response, each with its position and reasons.
import type { ParameterError } from "../../core/problem.ts";
import { maxListedRejections } from "../../core/writing.ts";
import type { Rejection } from "../../ingest/import.ts";
import { redactKeys } from "../../keys/redact.ts";

type RejectedRecord = {
  readonly index: number;
  readonly line: number;
  readonly id?: string | number;
  readonly reasons: readonly string[];
};

/** Characters of all reasons together, to limit the response. */
const maxText = 1_000_000;

/** Characters per reason: unknown attribute names may have any length. */
const maxReason = 500;
const maxId = 255;

export class RejectedRecords {
  readonly list: RejectedRecord[] = [];
  readonly errors: ParameterError[] = [];
  #text = 0;

  /** Adds a record unless the limits are reached. */
  add(line: number, reasons: readonly string[], { index, value, refusals }: Rejection): void {
    if (this.list.length >= maxListedRejections || this.#text >= maxText) return;
    const shown: string[] = [];
    for (const [at, reason] of reasons.entries()) {
      const text = brief(reason);
      this.#text += text.length;
      // The first reason is always included.
      if (at > 0 && this.#text > maxText) {
        shown.push(`and ${reasons.length - at} more reasons`);
        break;
      }
      shown.push(text);
      const { field = "", received = "", expected = "" } = refusals[at] ?? {};
      this.errors.push({ parameter: brief(`[${index}]${field && `.${field}`}`), given: brief(received), expected });
    }
    const id = idOf(value);
    this.list.push({ index, line, ...(id === undefined ? {} : { id }), reasons: shown });
  }
}

const brief = (text: string): string =>
  redactKeys(text.length > maxReason ? `${text.slice(0, maxReason - 1)}…` : text).toWellFormed();

/** The record's ID, if it has a readable one. */
function idOf(value: unknown): string | number | undefined {
  const id = typeof value === "object" && value !== null ? (value as { id?: unknown }).id : undefined;
  if (typeof id === "number") return id;
  return typeof id === "string" && id.length <= maxId ? redactKeys(id).toWellFormed() : undefined;
}
