// The API key: stored only in this browser, sent in a header, never in a URL.

import { readStored, writeStored } from "../app/local-storage.ts";
import { type Signal, signal } from "../app/signal.ts";

export type KeyState = {
  readonly key: string | undefined;
  /** Whether the server has rejected this key. */
  readonly rejected: boolean;
  /** Provided by a demo server, not entered by the user. */
  readonly isDemoKey: boolean;
};

export const keyState: Signal<KeyState> = signal<KeyState>({
  key: readStored("key"),
  rejected: false,
  isDemoKey: false,
});

export const keyDialogOpen: Signal<boolean> = signal(false);

export function saveKey(key: string): void {
  writeStored("key", key);
  keyState.set({ key, rejected: false, isDemoKey: false });
  keyDialogOpen.set(false);
}

/** Uses the demo's key unless the user has entered one. */
export function applyDemoKey(key: string): void {
  if (keyState.get().key === undefined) keyState.set({ key, rejected: false, isDemoKey: true });
}

export function removeKey(): void {
  writeStored("key", undefined);
  keyState.set({ key: undefined, rejected: false, isDemoKey: false });
}

/** Ignores the rejection of a key that has been replaced in the meantime. */
export function markKeyRejected(key: string | undefined): void {
  const state = keyState.get();
  if (state.key !== key || state.rejected) return;
  keyState.set({ ...state, rejected: true });
  keyDialogOpen.set(true);
}
