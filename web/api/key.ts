// The API key: stored only in this browser, sent in a header, never in a URL.

import { readStored, writeStored } from "../app/local-storage.ts";
import { type Signal, signal } from "../app/signal.ts";
import { removeResponses } from "./live/offline.ts";
import { settings } from "./settings.ts";

export type KeyState = {
  readonly key: string | undefined;
  /** Whether the server has rejected this key. Nothing is sent with it from then on. */
  readonly rejected: boolean;
  /** Provided by a demo server, not entered by the user. */
  readonly isDemoKey: boolean;
  /** Changes whenever a key is entered, even if it is the same one. */
  readonly version: number;
};

const accepted = { rejected: false, isDemoKey: false };

export const keyState: Signal<KeyState> = signal<KeyState>({ ...accepted, key: readStored("key"), version: 0 });

export const keyDialogOpen: Signal<boolean> = signal(false);

const use = (key: string | undefined, isDemoKey = false): void =>
  keyState.set({ ...accepted, key, isDemoKey, version: keyState.get().version + 1 });

export function saveKey(key: string): void {
  if (key !== keyState.get().key) void removeResponses();
  writeStored("key", key);
  use(key);
  keyDialogOpen.set(false);
}

/** Uses the demo's key unless the user has entered one. */
export function applyDemoKey(): void {
  const { key } = settings.get();
  if (key !== undefined && keyState.get().key === undefined) use(key, true);
}

/** On a demo server, the demo's key is used again. */
export function forgetKey(): void {
  void removeResponses();
  writeStored("key", undefined);
  use(undefined);
  applyDemoKey();
  keyDialogOpen.set(keyState.get().key === undefined);
}

/** Ignores the rejection of a key that has been replaced in the meantime. */
export function markKeyRejected(version: number): void {
  const state = keyState.get();
  if (state.version !== version || state.rejected) return;
  void removeResponses();
  keyState.set({ ...state, rejected: true });
  keyDialogOpen.set(true);
}
