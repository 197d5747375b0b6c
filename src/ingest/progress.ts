// Progress of a long task: a redrawn line on a terminal, occasional plain lines otherwise.

type ProgressState = {
  readonly records: number;
  readonly bytes?: number;
  /** Estimated share of the total time, where records differ in cost; by default the share of records. */
  readonly timeShare?: number;
};

export type Progress = {
  update(done: ProgressState): void;
  /** Progress of a later phase, in steps that take about as long as each other. */
  phase(name: string, done: number, total: number): void;
  end(): void;
};

type ProgressOptions = {
  /** Total records, if known. */
  readonly total?: number | undefined;
  /** Total bytes of the input, if only that is known. */
  readonly totalBytes?: number | undefined;
  /** What is counted. */
  readonly unit?: string;
  /** The name of the first phase, if there are several. */
  readonly phase?: string;
  /** Milliseconds. */
  readonly now?: () => number;
};

type OutputStream = { write(text: string): unknown; isTTY?: boolean; columns?: number };

const redrawMilliseconds = 100;
const plainLineMilliseconds = 10_000;
const barLength = 24;
const shortestBar = 8;
const clearToEnd = "\x1b[K";

/**
 * `update` may be called at any rate: it writes at most ten times a second to a terminal, and every ten
 * seconds otherwise. `end` clears the line on a terminal.
 */
export function progress(out: OutputStream, label: string, options: ProgressOptions = {}): Progress {
  const { now = () => performance.now() } = options;
  const terminal = out.isTTY === true;
  const started = now();
  const pause = terminal ? redrawMilliseconds : plainLineMilliseconds;
  const name = label.replace(/\p{Cc}/gu, "?");
  let written = started;
  let drawn = false;
  let phase: { readonly name: string; readonly started: number } | undefined;

  const write = (describeAt: (time: number) => Description) => {
    const time = now();
    if (time - written < pause) return;
    written = time;
    const state = describeAt(time);
    // The last column stays free: a wrapped line can't be redrawn.
    out.write(
      terminal ? `\r${drawnLine(name, state, (out.columns || 80) - 1)}${clearToEnd}` : `${plainLine(name, state)}\n`,
    );
    drawn = true;
  };
  return {
    update: (done) => write((time) => describe(done, (time - started) / 1000, options)),
    phase(current, done, total) {
      if (phase?.name !== current) phase = { name: current, started: now() };
      const { started: since } = phase;
      write((time) => describePhase(current, done, total, (time - since) / 1000));
    },
    end() {
      if (terminal && drawn) out.write(`\r${clearToEnd}`);
      drawn = false;
    },
  };
}

/** The completed share, if the total is known, and the rest as text. */
type Description = { readonly share: number | undefined; readonly words: string };

function plainLine(name: string, { words }: Description): string {
  return `${name}  ${words}`;
}

/** On a narrow terminal the bar shrinks before the text does. */
function drawnLine(name: string, { share, words }: Description, width: number): string {
  if (share === undefined) return `${name}  ${words}`.slice(0, Math.max(width, 0));
  const room = width - name.length - words.length - 4;
  const length = Math.max(shortestBar, Math.min(barLength, room));
  const full = Math.floor(share * length);
  const bar = "█".repeat(full) + "░".repeat(length - full);
  return `${name}  ${bar}  ${words}`.slice(0, Math.max(width, 0));
}

function describe(
  { records, bytes = 0, timeShare }: ProgressState,
  seconds: number,
  { total, totalBytes, unit = "records", phase }: ProgressOptions,
): Description {
  const [done, whole] = total === undefined ? [bytes, totalBytes] : [records, total];
  const share = whole === undefined || whole === 0 ? undefined : Math.min(done / whole, 1);
  const parts: string[] = phase === undefined ? [] : [phase];
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

function describePhase(name: string, done: number, total: number, seconds: number): Description {
  const left = done === 0 ? [] : [`${clock((seconds * (total - done)) / done)} left`];
  return { share: done / total, words: [name, `${done} of ${total}`, ...left].join("  ") };
}

function clock(seconds: number): string {
  const whole = Math.ceil(seconds);
  const [hours, minutes] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60];
  const pair = (part: number) => String(part).padStart(2, "0");
  return hours > 0 ? `${hours}:${pair(minutes)}:${pair(whole % 60)}` : `${minutes}:${pair(whole % 60)}`;
}
