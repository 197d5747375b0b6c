// Shows how far a long task has come: one line drawn anew on a terminal, a plain line now and then anywhere else.

export type Done = {
  readonly records: number;
  readonly bytes?: number;
  /** Share of the time that was needed for it, where records differ in what they cost; by default the share that is done. */
  readonly timeShare?: number;
};

export type Progress = { update(done: Done): void; end(): void };

export type ProgressOptions = {
  /** Records in all, where they can be counted beforehand. */
  readonly total?: number | undefined;
  /** Bytes of the whole input, where only that is known. */
  readonly totalBytes?: number | undefined;
  /** What is counted. */
  readonly unit?: string;
  /** Milliseconds. */
  readonly now?: () => number;
};

type Out = { write(text: string): unknown; isTTY?: boolean; columns?: number };

const redrawMilliseconds = 100;
const plainLineMilliseconds = 10_000;
const barLength = 24;
const shortestBar = 8;
const clearToEnd = "\x1b[K";

/**
 * `update` may be called as often as is convenient: it writes at most ten times a second to a terminal, and every ten
 * seconds elsewhere. `end` leaves no trace on a terminal.
 */
export function progress(out: Out, label: string, options: ProgressOptions = {}): Progress {
  const { now = () => performance.now() } = options;
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
      const state = described(done, (time - started) / 1000, options);
      // The last column stays free: a terminal would wrap there, and a wrapped line cannot be drawn over.
      out.write(
        terminal ? `\r${drawnLine(name, state, (out.columns || 80) - 1)}${clearToEnd}` : `${plainLine(name, state)}\n`,
      );
      drawn = true;
    },
    end() {
      if (terminal && drawn) out.write(`\r${clearToEnd}`);
      drawn = false;
    },
  };
}

/** The share that is done, where a total is known, and all else in words. */
type Described = { readonly share: number | undefined; readonly words: string };

function plainLine(name: string, { words }: Described): string {
  return `${name}  ${words}`;
}

/** The bar gives way to the words where the terminal is narrow. */
function drawnLine(name: string, { share, words }: Described, width: number): string {
  if (share === undefined) return `${name}  ${words}`.slice(0, Math.max(width, 0));
  const room = width - name.length - words.length - 4;
  const length = Math.max(shortestBar, Math.min(barLength, room));
  const full = Math.floor(share * length);
  const bar = "█".repeat(full) + "░".repeat(length - full);
  return `${name}  ${bar}  ${words}`.slice(0, Math.max(width, 0));
}

function described(
  { records, bytes = 0, timeShare }: Done,
  seconds: number,
  { total, totalBytes, unit = "records" }: ProgressOptions,
): Described {
  const [done, whole] = total === undefined ? [bytes, totalBytes] : [records, total];
  const share = whole === undefined || whole === 0 ? undefined : Math.min(done / whole, 1);
  const parts: string[] = [];
  if (share !== undefined) parts.push(`${Math.floor(share * 100)} %`.padStart(5));
  else if (bytes > 0) parts.push(`${Math.floor(bytes / 1e6).toLocaleString("en")} MB`);
  const all = total === undefined ? "" : ` of ${total.toLocaleString("en")}`;
  parts.push(
    `${records.toLocaleString("en")}${all} ${unit}`,
    `${Math.round(records / seconds).toLocaleString("en")}/s`,
  );
  const spent = timeShare ?? share ?? 0;
  if (spent > 0) parts.push(`${clock((seconds * (1 - spent)) / spent)} left`);
  return { share, words: parts.join("  ") };
}

function clock(seconds: number): string {
  const whole = Math.ceil(seconds);
  const [hours, minutes] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60];
  const pair = (part: number) => String(part).padStart(2, "0");
  return hours > 0 ? `${hours}:${pair(minutes)}:${pair(whole % 60)}` : `${minutes}:${pair(whole % 60)}`;
}
