// Durations and byte sizes in short form.

const spans: readonly (readonly [seconds: number, name: string])[] = [
  [86_400, "d"],
  [3600, "h"],
  [60, "min"],
];

/** `42 s`, `5 min`, `3 h`, `2 d`. */
export function durationText(seconds: number): string {
  const [length, name] = spans.find(([least]) => seconds >= least) ?? [1, "s"];
  return `${Math.floor(Math.max(0, seconds) / length)} ${name}`;
}

/** Age by the server's clock, since the browser's may differ. Both times are ISO 8601. */
export const agoOf = (moment: string, now: string): string =>
  `${durationText((Date.parse(now) - Date.parse(moment)) / 1000)} ago`;

const units = ["B", "kB", "MB", "GB", "TB"];

/** `9.4 MB`. */
export function bytesText(bytes: number): string {
  const power = bytes < 1000 ? 0 : Math.min(Math.floor(Math.log10(bytes) / 3), units.length - 1);
  const value = bytes / 1000 ** power;
  return `${power === 0 ? value : value.toFixed(value < 100 ? 1 : 0)} ${units[power]}`;
}
