// The records that a request had refused, as its answer lists them: the first ones, each with its place and every reason.
import type { ParameterError } from "../../core/problem.ts";
import { maxListedRejections } from "../../core/writing.ts";
import type { Rejection } from "../../ingest/import.ts";
import { redactKeys } from "../../keys/redact.ts";

export type RefusedRecord = {
  readonly index: number;
  readonly line: number;
  readonly id?: string | number;
  readonly reasons: readonly string[];
};

/** Characters of all reasons together: an answer stays small whatever was sent. */
const mostText = 1_000_000;

/** One reason; a name that is no attribute may have any length. */
const longestReason = 500;
const longestId = 255;

export class RefusedRecords {
  readonly list: RefusedRecord[] = [];
  readonly mistakes: ParameterError[] = [];
  #text = 0;

  /** Takes note of a record, if there is room. */
  add(line: number, reasons: readonly string[], { index, value, refusals }: Rejection): void {
    if (this.list.length >= maxListedRejections || this.#text >= mostText) return;
    const shown: string[] = [];
    for (const [at, reason] of reasons.entries()) {
      const text = brief(reason);
      this.#text += text.length;
      // The first is shown in any case: a record without a reason would say nothing.
      if (at > 0 && this.#text > mostText) {
        shown.push(`and ${reasons.length - at} reasons more`);
        break;
      }
      shown.push(text);
      const { field = "", received = "", expected = "" } = refusals[at] ?? {};
      this.mistakes.push({ parameter: brief(`[${index}]${field && `.${field}`}`), given: brief(received), expected });
    }
    const id = idOf(value);
    this.list.push({ index, line, ...(id === undefined ? {} : { id }), reasons: shown });
  }
}

const brief = (text: string): string =>
  redactKeys(text.length > longestReason ? `${text.slice(0, longestReason - 1)}…` : text).toWellFormed();

/** What the record calls itself, where that can be read. */
function idOf(value: unknown): string | number | undefined {
  const id = typeof value === "object" && value !== null ? (value as { id?: unknown }).id : undefined;
  if (typeof id === "number") return id;
  return typeof id === "string" && id.length <= longestId ? redactKeys(id).toWellFormed() : undefined;
}
