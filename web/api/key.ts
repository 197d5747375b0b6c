// The key of this browser: kept here only, sent in a header, never in an address.

import { keep, kept } from "../app/local-storage.ts";
import { type Cell, cell } from "../app/signal.ts";

export type KeyState = {
  readonly key: string | undefined;
  /** Whether the server has said that it does not accept this key. */
  readonly refused: boolean;
  /** The demo's own key, which nobody had to paste. */
  readonly prefilled: boolean;
};

export const keyState: Cell<KeyState> = cell<KeyState>({ key: kept("key"), refused: false, prefilled: false });

/** Whether the dialog for it is open. */
export const keyAsked: Cell<boolean> = cell(false);

export function takeKey(key: string): void {
  keep("key", key);
  keyState.set({ key, refused: false, prefilled: false });
  keyAsked.set(false);
}

/** The demo's key is taken for as long as no other was given. */
export function offerKey(key: string): void {
  if (keyState.get().key === undefined) keyState.set({ key, refused: false, prefilled: true });
}

export function forgetKey(): void {
  keep("key", undefined);
  keyState.set({ key: undefined, refused: false, prefilled: false });
}

/** An answer said that this key is not accepted; one that was replaced meanwhile is of no matter. */
export function refuseKey(key: string | undefined): void {
  const state = keyState.get();
  if (state.key !== key || state.refused) return;
  keyState.set({ ...state, refused: true });
  keyAsked.set(true);
}
