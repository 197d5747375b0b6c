// Shows how far an import has come: one line drawn anew on a terminal, a plain line now and then anywhere else.

export type Progress = { update(done: { bytes: number; records: number }): void; end(): void };

const redrawMilliseconds = 100;
const plainLineMilliseconds = 10_000;
const barLength = 24;
const clearToEnd = "\x1b[K";

/**
 * `update` may be called as often as is convenient: it writes at most ten times a second to a terminal, and every ten
 * seconds elsewhere. `end` leaves no trace on a terminal. `now` is in milliseconds; `unit` names what is counted.
 */
export function progress(
  out: { write(text: string): unknown; isTTY?: boolean; columns?: number },
  label: string,
  totalBytes: number | undefined,
  now: () => number = () => performance.now(),
  unit = "records",
): Progress {
  const terminal = out.isTTY === true;
  const started = now();
  const pause = terminal ? redrawMilliseconds : plainLineMilliseconds;
  const name = label.replace(/\p{Cc}/gu, "?");
  let written = started;
  let drawn = false;

  return {
    update(done) {
      const time = now();
      if (time - written < pause) return;
      written = time;
      const text = described(name, done, totalBytes, (time - started) / 1000, terminal, unit);
      // The last column stays free: a terminal would wrap there, and a wrapped line cannot be drawn over.
      const fitting = text.slice(0, Math.max((out.columns ?? 80) - 1, 0));
      out.write(terminal ? `\r${fitting}${clearToEnd}` : `${text}\n`);
      drawn = true;
    },
    end() {
      if (terminal && drawn) out.write(`\r${clearToEnd}`);
      drawn = false;
    },
  };
}

function described(
  label: string,
  { bytes, records }: { bytes: number; records: number },
  totalBytes: number | undefined,
  seconds: number,
  withBar: boolean,
  unit: string,
): string {
  const parts = [label];
  const share = totalBytes === undefined || totalBytes === 0 ? undefined : Math.min(bytes / totalBytes, 1);
  if (share === undefined) {
    if (bytes > 0) parts.push(`${Math.floor(bytes / 1e6).toLocaleString("en")} MB`);
  } else {
    const full = Math.floor(share * barLength);
    if (withBar) parts.push("█".repeat(full) + "░".repeat(barLength - full));
    parts.push(`${Math.floor(share * 100)} %`.padStart(5));
  }
  parts.push(`${records.toLocaleString("en")} ${unit}`, `${Math.round(records / seconds).toLocaleString("en")}/s`);
  if (share !== undefined && share > 0) parts.push(`${clock((seconds * (1 - share)) / share)} left`);
  return parts.join("  ");
}

function clock(seconds: number): string {
  const whole = Math.ceil(seconds);
  const [hours, minutes] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60];
  const pair = (part: number) => String(part).padStart(2, "0");
  return hours > 0 ? `${hours}:${pair(minutes)}:${pair(whole % 60)}` : `${minutes}:${pair(whole % 60)}`;
}
