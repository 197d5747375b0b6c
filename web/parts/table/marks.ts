// Marks rows whose record has just been created or updated.
import { marks } from "../../api/live/changes.ts";
import { useSignal } from "../../app/signal.ts";

/** The class of a row, by the ID of its record; empty for most. */
export function useMarks(): (id: string) => string {
  const marked = useSignal(marks);
  return (id) => {
    const action = marked.get(id);
    return action === undefined ? "" : `fresh ${action}`;
  };
}
