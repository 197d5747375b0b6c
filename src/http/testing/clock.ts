// Test mode: a clock that can be set. It is stored in the database, so that all processes share it.
import type { Store } from "../../store/store.ts";

/** Real time and displayed time when it was set, in Unix seconds; whether it runs on from there. */
type ClockSetting = { readonly at: number; readonly shown: number; readonly running: boolean };

export type TestClock = {
  /** Unix seconds. */
  now(): number;
  readonly setting: ClockSetting | undefined;
  set(store: Store, setting: ClockSetting | undefined): Promise<void>;
  /** Polls for changes by other processes. */
  follow(store: Store): void;
  stop(): void;
};

const noteName = "test-clock";
const pollMs = 300;

/** Real time until it is set, unless it starts with a setting. */
export function testClock(real: () => number = () => Date.now() / 1000, initial?: ClockSetting): TestClock {
  let setting = initial;
  let timer: NodeJS.Timeout | undefined;
  let timesSet = 0;
  const read = async (store: Store) => {
    const before = timesSet;
    const text = await store.getMetadata(noteName);
    // Set by this process in the meantime: what was read may be older.
    if (text === undefined || timesSet !== before) return;
    setting = text === "" ? undefined : (JSON.parse(text) as ClockSetting);
  };
  return {
    now: () => (setting === undefined ? real() : setting.running ? setting.shown + real() - setting.at : setting.shown),
    get setting() {
      return setting;
    },
    set: async (store, newSetting) => {
      await store.setMetadata(noteName, newSetting === undefined ? "" : JSON.stringify(newSetting));
      timesSet++;
      setting = newSetting;
    },
    follow: (store) => {
      // Keeps the setting while the database is unavailable.
      const poll = () => void read(store).catch(() => {});
      poll();
      timer ??= setInterval(poll, pollMs).unref();
    },
    stop: () => clearInterval(timer),
  };
}
