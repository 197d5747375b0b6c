// Forms of events, shared by the streams that have the same one.
import type { Resource } from "../core/catalog/resource.ts";
import type { StoreState } from "../store/store.ts";
import type { EventForm } from "./entry-events.ts";

/** More than any set of clients uses at a time. */
const maxForms = 1000;

export class SharedForms {
  readonly #forms = new Map<string, EventForm>();

  /** The form, or an equal one. Those of another database, or of other settings of it, differ. */
  share(form: EventForm, { name }: Resource, { databaseId, settings }: StoreState): EventForm {
    const key = JSON.stringify([name, form.key, databaseId, settings]);
    const known = this.#forms.get(key);
    if (known !== undefined) return known;
    if (this.#forms.size >= maxForms) this.#forms.clear();
    this.#forms.set(key, form);
    return form;
  }
}
