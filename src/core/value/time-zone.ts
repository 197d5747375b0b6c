// Instants and calendar days in an IANA time zone, never the host's, for the years 0001 to 9999.
// Offsets are rounded to minutes, as printed (some had seconds until 1972), so that a printed instant round-trips and
// shows the day it is listed under.

const DAY = 86_400;
const MAX_CACHED_DAYS = 20_000;

/** The offsets of a UTC day, in seconds, before `change` and from it on. No zone has changed twice within a week. */
type Offsets = { readonly change: number; readonly before: number; readonly after: number };

export type Zone = {
  readonly name: string;
  readonly format: Intl.DateTimeFormat;
  readonly days: Map<number, Offsets>;
};

const zones = new Map<string, Zone>();

/** Undefined for an unknown name. Bare offsets (`+05:00`) are not names. */
export function zone(name: string): Zone | undefined {
  const known = zones.get(name);
  if (known) return known;
  if (!/^[A-Za-z]/.test(name)) return undefined;
  try {
    const format = new Intl.DateTimeFormat("en-US", { timeZone: name, timeZoneName: "longOffset" });
    const made = { name, format, days: new Map<number, Offsets>() };
    zones.set(name, made);
    return made;
  } catch {
    return undefined;
  }
}

function intlOffset(zone: Zone, seconds: number): number {
  const [, sign, hours, minutes, rest] =
    /GMT([+-])(\d\d):(\d\d)(?::(\d\d))?$/.exec(zone.format.format(seconds * 1000)) ?? [];
  const total = Number(hours ?? 0) * 60 + Number(minutes ?? 0) + (Number(rest ?? 0) >= 30 ? 1 : 0);
  return (sign === "-" ? -60 : 60) * total;
}

// Cached: Intl takes microseconds, and every imported record prints two instants.
function offsetsOf(zone: Zone, day: number): Offsets {
  const cached = zone.days.get(day);
  if (cached) return cached;
  let same = day * DAY;
  let change = same + DAY;
  const before = intlOffset(zone, same);
  const after = intlOffset(zone, change);
  if (before !== after) {
    while (change - same > 1) {
      const middle = Math.floor((same + change) / 2);
      if (intlOffset(zone, middle) === before) same = middle;
      else change = middle;
    }
  }
  const offsets = { change, before, after };
  if (zone.days.size >= MAX_CACHED_DAYS) zone.days.clear();
  zone.days.set(day, offsets);
  return offsets;
}

function offsetAt(zone: Zone, seconds: number): number {
  const offsets = offsetsOf(zone, Math.floor(seconds / DAY));
  return seconds < offsets.change ? offsets.before : offsets.after;
}

/** `Tue, 05 Nov 2024 09:30:00 -0500` */
export function printInstant(zone: Zone, seconds: number): string {
  const offset = offsetAt(zone, seconds);
  const minutes = Math.abs(offset) / 60;
  const digits = String(Math.floor(minutes / 60) * 100 + (minutes % 60)).padStart(4, "0");
  // ECMAScript specifies the English format of toUTCString.
  return `${new Date((seconds + offset) * 1000).toUTCString().slice(0, -3)}${offset < 0 ? "-" : "+"}${digits}`;
}

/** The local calendar day of an instant, `YYYY-MM-DD`. */
export function localDay(zone: Zone, seconds: number): string {
  return new Date((seconds + offsetAt(zone, seconds)) * 1000).toISOString().slice(0, 10);
}

/** The local clock time of an instant, `hh:mm:ss`. */
export function localTime(zone: Zone, seconds: number): string {
  return new Date((seconds + offsetAt(zone, seconds)) * 1000).toISOString().slice(11, 19);
}

/** The instant of a local day and clock time; where clocks went back, the first. Undefined if there is no such time. */
export function zonedInstant(zone: Zone, day: string, time: string): number | undefined {
  const utc = parseInstant(`${day}T${time}Z`);
  if (utc === undefined) return undefined;
  const offsets = [offsetAt(zone, utc - DAY), offsetAt(zone, utc + DAY)];
  return offsets.map((offset) => utc - offset).find((each) => each + offsetAt(zone, each) === utc);
}

/** Days since 1970-01-01; undefined if the text is not a calendar day as `YYYY-MM-DD`. */
export function dayNumber(text: string): number | undefined {
  if (!/^\d{4}-\d\d-\d\d$/.test(text)) return undefined;
  const [year, month, day] = [Number(text.slice(0, 4)), Number(text.slice(5, 7)), Number(text.slice(8))];
  if (year < 1 || month < 1 || month > 12) return undefined;
  // Date.UTC maps the years 0 to 99 to 1900 to 1999; the calendar repeats every 400 years (146,097 days).
  const later = Date.UTC(year + 400, month - 1, day);
  return new Date(later).getUTCDate() === day ? later / (DAY * 1000) - 146_097 : undefined;
}

/** The inverse of `dayNumber`. */
export const dayOfNumber = (number: number): string => new Date(number * DAY * 1000).toISOString().slice(0, 10);

/** Whether a text is `YYYY-MM-DD` and a real calendar day. */
export function isDay(text: string): boolean {
  return dayNumber(text) !== undefined;
}

/** Never before the year 1. */
export function addDays(day: string, days: number): string {
  const ms = Date.parse(`${day}T00:00:00Z`) + days * DAY * 1000;
  return new Date(Math.max(ms, Date.parse("0001-01-01T00:00:00Z"))).toISOString().slice(0, 10);
}

function startOfDay(zone: Zone, day: number): number {
  const midnight = day * DAY;
  // No offset exceeds 16 hours, so the local day starts within these UTC days; if midnight is skipped, at the change.
  for (let utcDay = day - 1; utcDay <= day + 1; utcDay++) {
    const { change, before, after } = offsetsOf(zone, utcDay);
    if (midnight - before < change) return Math.max(utcDay * DAY, midnight - before);
    if (midnight - after < (utcDay + 1) * DAY) return Math.max(change, midnight - after);
  }
  return midnight;
}

/**
 * The first second of a local day and the first of the next. `day` must pass `isDay`.
 * Where clocks went back over midnight (St. John's until 2011), the day starts at the first of its two midnights.
 */
export function dayBounds(zone: Zone, day: string): { from: number; before: number } {
  const number = dayNumber(day);
  if (number === undefined) throw new RangeError(`not a calendar day: ${day}`);
  return { from: startOfDay(zone, number), before: startOfDay(zone, number + 1) };
}

const WEEKDAYS = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"];
const MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
const CLOCK = "([01]\\d|2[0-3]):([0-5]\\d)";
const PRINTED = new RegExp(
  `^(\\w{3}), (\\d\\d) (\\w{3}) (\\d{4}) ${CLOCK}:([0-5]\\d) ([+-](?:[01]\\d|2[0-3])[0-5]\\d)$`,
);
const ISO = new RegExp(
  `^(\\d{4}-\\d\\d-\\d\\d)[Tt ]${CLOCK}(?::([0-5]\\d)(?:[.,]\\d+)?)?([Zz]|[+-](?:[01]\\d|2[0-3])(?::?[0-5]\\d)?)$`,
);

function fromWall(day: number, clock: readonly (string | undefined)[], offset: string): number {
  const [hour, minute, second] = clock.map((part) => Number(part ?? 0)) as [number, number, number];
  const ahead = /^[Zz]/.test(offset) ? 0 : Number(offset.slice(1, 3)) * 60 + Number(offset.slice(3).replace(":", ""));
  return day * DAY + hour * 3600 + minute * 60 + second + (offset.startsWith("-") ? 60 : -60) * ahead;
}

/** Parses the printed format, or ISO 8601 with an offset, into Unix seconds; fractions are truncated. */
export function parseInstant(text: string): number | undefined {
  const iso = ISO.exec(text);
  if (iso) {
    const day = dayNumber(iso[1] ?? "");
    return day === undefined ? undefined : fromWall(day, iso.slice(2, 5), iso[5] ?? "Z");
  }
  const printed = PRINTED.exec(text);
  if (!printed) return undefined;
  const month = String(MONTHS.indexOf(printed[3] ?? "") + 1).padStart(2, "0");
  const day = dayNumber(`${printed[4]}-${month}-${printed[2]}`);
  // The remainder of a day before 1970 is negative.
  if (day === undefined || WEEKDAYS.at(day % 7) !== printed[1]) return undefined;
  return fromWall(day, printed.slice(5, 8), printed[8] ?? "");
}
