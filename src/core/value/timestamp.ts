// Timestamps as files spell them: ISO 8601 and RFC 2822, with or without seconds and an offset.

import { localDay, localTime, parseInstant, type Zone, zonedInstant } from "./time-zone.ts";

/** A day and a clock time, as written; `offset` is empty if there is none. */
type WallClock = { readonly day: string; readonly time: string; readonly offset: string };

const months = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];
const clock = "(\\d{1,2}):(\\d\\d)(?::(\\d\\d)(?:[.,]\\d+)?)?";
const offset = "([Zz]|[+-]\\d\\d(?::?\\d\\d)?|GMT|UTC?)?";
const iso = new RegExp(`^(\\d{4})-(\\d\\d)-(\\d\\d)[Tt ]${clock} ?${offset}$`);
const mail = new RegExp(`^(?:([a-z]{3}),? )?(\\d{1,2}) ([a-z]{3}) (\\d{4}) ${clock} ?${offset}$`, "i");

/** Undefined if the text is not a timestamp. */
export function wallClock(text: string): WallClock | undefined {
  const trimmed = text.trim();
  const found = iso.exec(trimmed);
  if (found) {
    const [, year, month, day, hour, minute, second, zone] = found;
    return wall(`${year}-${month}-${day}`, [hour, minute, second], zone);
  }
  const [, weekday, day = "", month = "", year, hour, minute, second, zone] = mail.exec(trimmed) ?? [];
  const number = months.indexOf(month.toLowerCase()) + 1;
  if (year === undefined || number === 0) return undefined;
  const date = `${year}-${two(String(number))}-${two(day)}`;
  if (weekday !== undefined && weekdayOf(date) !== weekday.toLowerCase()) return undefined;
  return wall(date, [hour, minute, second], zone);
}

function wall(day: string, clock: readonly (string | undefined)[], zone = ""): WallClock {
  const offset = /^[+-]/.test(zone) ? zone : zone === "" ? "" : "Z";
  return { day, time: clock.map((part) => two(part ?? "0")).join(":"), offset };
}

const two = (digits: string): string => digits.padStart(2, "0");

const weekdayOf = (day: string): string | undefined =>
  new Date(`${day}T00:00:00Z`).toUTCString().slice(0, 3).toLowerCase();

/** Unix seconds; a timestamp without an offset needs a zone. Fractions are truncated. */
export function parseTimestamp(text: string, zone?: Zone): number | undefined {
  const found = wallClock(text);
  if (found === undefined) return undefined;
  const { day, time, offset } = found;
  if (offset !== "") return parseInstant(`${day}T${time}${offset}`);
  return zone === undefined ? undefined : zonedInstant(zone, day, time);
}

/**
 * Day and clock time in `target`. A timestamp without an offset is in `zone`, or else in `target` already. Undefined if
 * the text is not a timestamp.
 */
export function localClock(text: string, target: Zone, zone?: Zone): { day: string; time: string } | undefined {
  const found = wallClock(text);
  if (found === undefined) return undefined;
  const seconds = parseTimestamp(text, zone ?? target);
  return seconds === undefined ? undefined : { day: localDay(target, seconds), time: localTime(target, seconds) };
}

/** ISO 8601 in UTC, without fractions of a second. */
export const isoTime = (seconds: number): string =>
  new Date(Math.floor(seconds) * 1000).toISOString().replace(".000Z", "Z");
