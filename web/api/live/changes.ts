// Changes of records as they arrive: collected briefly, then announced to whatever shows them, and marked for a while.
import { type Signal, signal } from "../../app/signal.ts";

export type ChangeAction = "created" | "updated" | "removed";
export type Change = {
  readonly action: ChangeAction;
  readonly id: string | number;
  /** Name of its list. */
  readonly resource: string;
  /** Absent if it was removed. */
  readonly record?: Readonly<Record<string, unknown>>;
};

/** Names of changed lists; "all" if the changes are unknown. */
type Listener = (lists: ReadonlySet<string> | "all") => void;

/** Records that were created or updated a short time ago, by ID. */
export const marks: Signal<ReadonlyMap<string, ChangeAction>> = signal<ReadonlyMap<string, ChangeAction>>(new Map());

const listeners = new Set<Listener>();

/** The first of several changes is shown at once, further ones at this interval. */
const intervalMs = 2000;
const firstDelayMs = 150;
const markMs = 30_000;

let pending: Change[] = [];
let isScheduled = false;
let announcedAt = 0;

/** Returns the unsubscribe function. */
export function onChanges(listener: Listener): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function addChange(change: Change): void {
  pending.push(change);
  if (isScheduled) return;
  isScheduled = true;
  setTimeout(announce, Math.max(firstDelayMs, announcedAt + intervalMs - Date.now()));
}

/** After changes may have been missed. */
export function announceAll(): void {
  for (const listener of [...listeners]) listener("all");
}

function announce(): void {
  isScheduled = false;
  announcedAt = Date.now();
  const changes = pending;
  pending = [];
  const lists = new Set(changes.map(({ resource }) => resource));
  mark(changes.filter(({ action }) => action !== "removed"));
  for (const listener of [...listeners]) listener(lists);
}

function mark(changes: readonly Change[]): void {
  if (changes.length === 0) return;
  const added = new Map(changes.map(({ id, action }) => [String(id), action]));
  marks.set(new Map([...marks.get(), ...added]));
  setTimeout(() => {
    // A record that has changed again in the meantime has its own timer.
    const rest = [...marks.get()].filter(([id, action]) => added.get(id) !== action);
    marks.set(new Map(rest));
  }, markMs);
}
