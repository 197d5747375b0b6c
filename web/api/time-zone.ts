// The page's time zone: that of the exchange, unless the user selects another one. It is in the URL if it differs, so
// that a shared link shows the same times, and it is stored in this browser.

import { readStored, writeStored } from "../app/local-storage.ts";
import { changeQuery, currentLocation } from "../app/location.ts";
import { clockText, dayText } from "../format/day.ts";
import { isZone, momentAt, type WallTime, wallTime, zoneCode } from "../format/time-zone.ts";
import { settings } from "./settings.ts";

/** Days of records are those of the exchange, in any time zone. */
export const exchangeZone = (): string => settings.get().zone;
export const localZone = (): string => new Intl.DateTimeFormat().resolvedOptions().timeZone;

export function pageZone(): string {
  const selected = currentLocation().query.get("tz");
  return selected !== null && isZone(selected) ? selected : exchangeZone();
}

/** Stored instead of a name, to follow a device that travels. */
const local = "local";

export function selectZone(zone: string): void {
  writeStored("zone", zone === exchangeZone() ? undefined : zone === localZone() ? local : zone);
  changeQuery({ tz: zone === exchangeZone() ? undefined : zone }, { replace: true });
}

/** Applies the stored choice, unless the URL has one. */
export function restoreZone(): void {
  const stored = readStored("zone");
  const zone = stored === local ? localZone() : stored;
  if (zone === undefined || zone === exchangeZone() || currentLocation().query.has("tz") || !isZone(zone)) return;
  changeQuery({ tz: zone }, { replace: true });
}

/**
 * A record's time of day in the page's time zone: `09:30`, with `+1` or `−1` if it is on another day there; a session in
 * words.
 */
export function timeText(day: unknown, time: unknown): string {
  const text = clockText(time);
  const zone = pageZone();
  if (zone === exchangeZone() || !/^\d\d:\d\d$/.test(text)) return text;
  const wall = wallTime(momentAt({ day: String(day), clock: text }, exchangeZone()), zone);
  return wall.day === day ? wall.clock : `${wall.clock} ${wall.day > String(day) ? "+1" : "−1"}`;
}

/** Unix seconds, or a date in any format, in milliseconds. */
const millisecondsOf = (moment: number | string): number =>
  typeof moment === "number" ? moment * 1000 : Date.parse(moment);

/** Day and time in the page's time zone; empty strings if it isn't a date. */
export function timestampIn(moment: unknown): WallTime {
  const at = millisecondsOf(typeof moment === "number" ? moment : String(moment));
  return Number.isNaN(at) ? { day: "", clock: "" } : wallTime(at, pageZone());
}

/** `Nov 15, 2026, 09:30 EST`. */
export function timestampText(moment: number | string): string {
  const { day, clock } = timestampIn(moment);
  return day === "" ? String(moment) : `${dayText(day)}, ${clock} ${zoneCode(pageZone(), millisecondsOf(moment))}`;
}
