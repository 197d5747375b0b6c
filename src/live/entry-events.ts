// A log entry as events: what it means for a filter, and its text, rendered once for each form that subscribers want.
import type { actions } from "../core/query/stream.ts";
import type { Row } from "../core/record/row.ts";
import type { RecordChange } from "../store/store.ts";

export type Action = (typeof actions)[number];

/** Of subscribers whose events have the same text. */
export type EventForm = { readonly key: string; readonly text: (action: Action, entry: RecordChange) => string };

/**
 * What a subscriber that sees some records sees of a change; undefined: nothing. If the record before it is unknown, it is
 * assumed to have matched like the one after it; an unknown record that was removed is removed for everyone.
 */
export function actionFor(entry: RecordChange, isVisible: (row: Row) => boolean): Action | undefined {
  const { before, after, kind, isBeforeKnown } = entry;
  const isAfter = after !== undefined && isVisible(after);
  if (!isBeforeKnown) return kind === "removed" ? "removed" : isAfter ? "updated" : undefined;
  const isBefore = before !== undefined && isVisible(before);
  if (isAfter) return isBefore ? "updated" : "created";
  return isBefore ? "removed" : undefined;
}

export class EntryEvents {
  readonly entry: RecordChange;
  readonly #texts = new Map<string, string>();

  constructor(entry: RecordChange) {
    this.entry = entry;
  }

  text(action: Action, form: EventForm): string {
    const key = `${action} ${form.key}`;
    let text = this.#texts.get(key);
    if (text === undefined) {
      text = form.text(action, this.entry);
      this.#texts.set(key, text);
    }
    return text;
  }
}
