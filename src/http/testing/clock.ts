// A clock that can be set, for test mode. It stands in the database, so that all processes have the same.
import type { Store } from "../../store/store.ts";

/** Real time and shown time at the moment of setting, in Unix seconds; whether it goes on from there. */
export type ClockSetting = { readonly at: number; readonly shown: number; readonly running: boolean };

export type TestClock = {
  /** Unix seconds. */
  now(): number;
  readonly setting: ClockSetting | undefined;
  set(store: Store, setting: ClockSetting | undefined): Promise<void>;
  /** Takes over what another process has set, now and again. */
  follow(store: Store): void;
  stop(): void;
};

const note = "test-clock";
const followMs = 300;

export function testClock(real: () => number = () => Date.now() / 1000): TestClock {
  let setting: ClockSetting | undefined;
  let timer: NodeJS.Timeout | undefined;
  const read = async (store: Store) => {
    const text = await store.getMetadata(note);
    setting = text === undefined || text === "" ? undefined : (JSON.parse(text) as ClockSetting);
  };
  return {
    now: () => (setting === undefined ? real() : setting.running ? setting.shown + real() - setting.at : setting.shown),
    get setting() {
      return setting;
    },
    set: async (store, wanted) => {
      await store.setMetadata(note, wanted === undefined ? "" : JSON.stringify(wanted));
      setting = wanted;
    },
    follow: (store) => {
      // A database that is away has nothing new to say.
      const look = () => void read(store).catch(() => {});
      look();
      timer ??= setInterval(look, followMs).unref();
    },
    stop: () => clearInterval(timer),
  };
}
