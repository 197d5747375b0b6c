// Conversion between time zones.
import { byZone } from "./day.ts";

export type WallTime = {
  /** `2026-11-15` */
  readonly day: string;
  /** `09:30` */
  readonly clock: string;
};

const wallFormat = byZone(
  { year: "numeric", month: "2-digit", day: "2-digit", hour: "2-digit", minute: "2-digit", hourCycle: "h23" },
  "en-CA",
);
const nameFormat = byZone({ timeZoneName: "short" }, "en-US");

/** What a clock in the zone shows; milliseconds since 1970. */
export function wallTime(moment: number, zone: string): WallTime {
  const [day = "", clock = ""] = wallFormat(zone).format(moment).split(", ");
  return { day, clock };
}

const utcOf = ({ day, clock }: WallTime): number => Date.parse(`${day}T${clock}Z`);

/** The moment at which a clock in the zone shows this, in milliseconds; NaN if it isn't a time. */
export function momentAt(wall: WallTime, zone: string): number {
  const utc = utcOf(wall);
  if (Number.isNaN(utc)) return utc;
  const offsetAt = (moment: number): number => utcOf(wallTime(moment, zone)) - moment;
  // The offset at the first estimate may be from the other side of a clock change.
  return utc - offsetAt(utc - offsetAt(utc));
}

/** `EST` or `GMT+9`. */
export const zoneCode = (zone: string, moment = Date.now()): string =>
  nameFormat(zone)
    .formatToParts(moment)
    .find(({ type }) => type === "timeZoneName")?.value ?? zone;

/** `New York` for `America/New_York`. */
export const zoneCity = (zone: string): string => (zone.split("/").at(-1) ?? zone).replaceAll("_", " ");

export function isZone(zone: string): boolean {
  try {
    wallFormat(zone);
    return true;
  } catch {
    return false;
  }
}
