// A log entry as events: what it means for a filter, and its text, rendered once for each form that subscribers want.
import { fieldOf, type Resource } from "../core/catalog/resource.ts";
import type { Row } from "../core/record/row.ts";
import type { RecordChange } from "../store/store.ts";

export const actions = ["created", "updated", "removed"] as const;
export type Action = (typeof actions)[number];

/** Of subscribers whose events have the same text. */
export type EventForm = { readonly key: string; readonly render: (row: Row) => string };

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
  readonly #resource: Resource;
  readonly #texts = new Map<string, string>();

  constructor(entry: RecordChange, resource: Resource) {
    this.entry = entry;
    this.#resource = resource;
  }

  /** The event as one line of JSON. */
  text(action: Action, form: EventForm): string {
    const key = action === "removed" ? action : `${action} ${form.key}`;
    let text = this.#texts.get(key);
    if (text === undefined) {
      text = this.#render(action, form);
      this.#texts.set(key, text);
    }
    return text;
  }

  #render(action: Action, { render }: EventForm): string {
    const { id, at, after } = this.entry;
    const { name } = this.#resource;
    const head = JSON.stringify({ action, id: fieldOf(this.#resource, "id").fromCsv(id), resource: name, at });
    return action === "removed" || after === undefined ? head : `${head.slice(0, -1)},"record":${render(after)}}`;
  }
}
