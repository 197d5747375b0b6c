// Feed dates → Unix seconds: RFC 822 and ISO 8601, leniently, never in the host's time zone.
import { parseInstant } from "../../core/value/time-zone.ts";

/** Named zones in feeds. A missing or unknown one means UTC, as in mail. */
const zones: Readonly<Record<string, string>> = {
  EST: "-05:00",
  EDT: "-04:00",
  CST: "-06:00",
  CDT: "-05:00",
  MST: "-07:00",
  MDT: "-06:00",
  PST: "-08:00",
  PDT: "-07:00",
  BST: "+01:00",
  CET: "+01:00",
  CEST: "+02:00",
  JST: "+09:00",
};

const months = "jan feb mar apr may jun jul aug sep oct nov dec".split(" ");

const mailDate =
  /^(?:[a-z]+\.?,?\s+)?(\d{1,2})[\s-]+([a-z]{3})[a-z]*\.?,?[\s-]+(\d{4}|\d{2})(?:,?\s+(\d{1,2}):(\d{2})(?::(\d{2})(?:\.\d+)?)?)?\s*(.*)$/i;
const isoDate = /^(\d{4}-\d{2}-\d{2})(?:[t\s]+(\d{2}:\d{2})(:\d{2})?(?:[.,]\d+)?)?\s*(.*)$/i;

const pair = (part: string | undefined): string => (part ?? "0").padStart(2, "0");

/** Undefined if it is not a date. */
export function parseFeedDate(text: string): number | undefined {
  const given = text.trim();
  const iso = isoDate.exec(given);
  if (iso !== null) {
    const [, day, clock = "00:00", seconds = ":00", zone = ""] = iso;
    return parseInstant(`${day}T${clock}${seconds}${offsetOf(zone)}`);
  }
  const [, day, month = "", year = "", hour, minute, second, zone = ""] = mailDate.exec(given) ?? [];
  const number = months.indexOf(month.toLowerCase()) + 1;
  if (number === 0) return undefined;
  const date = `${fullYear(year)}-${pair(String(number))}-${pair(day)}`;
  return parseInstant(`${date}T${pair(hour)}:${pair(minute)}:${pair(second)}${offsetOf(zone)}`);
}

/** Two-digit years per RFC 2822. */
const fullYear = (year: string): string => (year.length === 4 ? year : `${Number(year) < 50 ? "20" : "19"}${year}`);

function offsetOf(zone: string): string {
  const [, sign, hours, minutes = "00"] = /^(?:GMT|UTC)?\s*([+-])(\d{1,2}):?(\d{2})?\b/i.exec(zone) ?? [];
  if (sign !== undefined) return `${sign}${pair(hours)}:${minutes}`;
  return zones[/^[a-z]+/i.exec(zone)?.[0].toUpperCase() ?? ""] ?? "Z";
}
