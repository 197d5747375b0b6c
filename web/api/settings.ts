// What the server says about itself for this page: its version, the zone and the day of the service, and the demo's key.
import { type Cell, cell } from "../app/signal.ts";
import { todayIn } from "../format/day.ts";

export type Settings = {
  readonly version: string;
  /** Time zone of the service, in which days begin and news are dated. */
  readonly zone: string;
  /** The day in that zone by the server's clock. */
  readonly today: string;
  /** Only where the demo is served, and only until its key is revoked. */
  readonly key?: string;
};

const unknown: Settings = { version: "", zone: "America/New_York", today: todayIn("America/New_York") };
export const settings: Cell<Settings> = cell(unknown);

/** Whether the clock of this browser gives the same day: then it may also say when the next one begins. */
let clockIsRight = true;

export const today = (): string => (clockIsRight ? todayIn(settings.get().zone) : settings.get().today);

/** Asks until it is answered; `onWait` is called when the server is not ready. */
export async function loadSettings(onWait: () => void): Promise<Settings> {
  for (;;) {
    const said = await fetch("/page.json").then(
      async (response) => (response.ok ? ((await response.json()) as Settings) : undefined),
      () => undefined,
    );
    if (said !== undefined) {
      settings.set(said);
      clockIsRight = todayIn(said.zone) === said.today;
      return said;
    }
    onWait();
    await new Promise((resolve) => setTimeout(resolve, 1000));
  }
}
