// Settings that the server provides to the page: version, time zone, current day, how commands are run, and the demo's key.
import { readStored, writeStored } from "../app/local-storage.ts";
import { type Signal, signal } from "../app/signal.ts";
import { todayIn } from "../format/day.ts";
import { shellQuoted } from "../format/shell.ts";
import { type WallTime, wallTime } from "../format/time-zone.ts";

export type Settings = {
  readonly version: string;
  /** Time zone of the server, which defines its days. */
  readonly zone: string;
  /** Current day in that zone. */
  readonly today: string;
  /** How this installation runs commands: `bellwire` or `npm run -s bellwire --`. */
  readonly command?: string;
  /** The server has no records yet. Its database, if it isn't the default, is then known as well. */
  readonly empty?: boolean;
  readonly database?: string;
  /** Only on a demo server, until the key is revoked. */
  readonly key?: string;
};

const defaults: Settings = { version: "", zone: "America/New_York", today: todayIn("America/New_York") };
export const settings: Signal<Settings> = signal(defaults);

/** Whether the browser's clock agrees on the day. If so, the next day starts by that clock. */
let clockMatches = true;

/** A command as it is run on the server's machine. */
export function commandText(words: string): string {
  const { command = "bellwire", database } = settings.get();
  return `${command} ${words}${database === undefined ? "" : ` --database ${shellQuoted(database)}`}`;
}

/** Day and time in that zone; undefined if the browser's clock is wrong. */
export const now = (): WallTime | undefined => (clockMatches ? wallTime(Date.now(), settings.get().zone) : undefined);

export const today = (): string => (clockMatches ? todayIn(settings.get().zone) : settings.get().today);

/** Those of the last visit, while the server can't be reached. */
function storedSettings(): Settings | undefined {
  const stored = readStored("settings");
  if (stored === undefined) return undefined;
  const settings = JSON.parse(stored) as Settings;
  return { ...settings, today: todayIn(settings.zone) };
}

/** Retries until it succeeds; `onWait` is called while the server isn't ready. */
export async function loadSettings(onWait: () => void): Promise<Settings> {
  for (;;) {
    const received = await fetch("/page.json").then(
      async (response) => (response.ok ? ((await response.json()) as Settings) : undefined),
      () => storedSettings(),
    );
    if (received !== undefined) {
      writeStored("settings", JSON.stringify(received));
      settings.set(received);
      clockMatches = todayIn(received.zone) === received.today;
      return received;
    }
    onWait();
    await new Promise((resolve) => setTimeout(resolve, 1000));
  }
}
