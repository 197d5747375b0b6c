// Parses durations of the command line: 30s, 5m, 1h, 1d.
import { UsageError } from "../../config.ts";

const units: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3600, d: 86_400 };

/** Returns seconds; a bare number is in seconds. */
export function parseDuration(flag: string, text: string, least: number, most: number): number {
  const [, digits = "", unit = "s"] = /^(\d{1,6})([smhd])?$/.exec(text) ?? [];
  const seconds = Number(digits) * (units[unit] ?? 1);
  if (digits === "" || seconds < least || seconds > most) {
    const range = `from ${least} s to ${most / 86_400} d`;
    throw new UsageError(`--${flag}: expected a time such as 30s, 5m, or 1h, ${range}; got "${text}"`);
  }
  return seconds;
}
