// The text of messages: an envelope around the record as the list returns it, or as an article.
import { fieldOf, type Resource } from "../../core/catalog/resource.ts";
import { streamPosition } from "../../core/query/stream-position.ts";
import type { Action, EventForm } from "../../live/entry-events.ts";
import type { RestForm } from "../../live/event-form.ts";
import { apiVersion } from "./session.ts";

const actions: Readonly<Record<Action, string>> = { created: "created", updated: "updated", removed: "deleted" };

/** `isStory`: records are sent in the form that older clients know, if their resource has one. */
export function messageForm(resource: Resource, rest: RestForm, isStory: boolean, database: string): EventForm {
  const { kind = resource.name, story } = resource.messages ?? {};
  const form = isStory ? story : undefined;
  const idField = fieldOf(resource, "id");
  return {
    key: form === undefined ? `message ${rest.key}` : "story",
    text: (action, { seq, at, id, after }) => {
      const isDeleted = action === "removed" || after === undefined;
      const recordId = idField.fromCsv(id);
      const head = JSON.stringify({
        id: streamPosition(database, seq),
        api_version: apiVersion,
        kind: form?.kind ?? kind,
        data: { action: actions[action], id: recordId, timestamp: new Date(at * 1000).toISOString() },
      });
      const content = isDeleted
        ? JSON.stringify({ id: recordId })
        : form === undefined
          ? rest.render(after)
          : JSON.stringify(form.content(after, seq));
      return `${head.slice(0, -2)},"content":${content}}}`;
    },
  };
}
