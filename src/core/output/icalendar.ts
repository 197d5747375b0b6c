// Calendars for subscriptions (iCalendar, RFC 5545 and 7986).
import type { CalendarEvent } from "./calendar-event.ts";
import { isWebAddress } from "./web-address.ts";

type Calendar = {
  readonly name: string;
  /** Part of the IDs of its events. */
  readonly kind: string;
  readonly color: string;
  readonly events: readonly CalendarEvent[];
  readonly canceled: readonly CalendarEvent[];
  /** When to alert before each event; undefined: never. */
  readonly alarmMinutes: number | undefined;
};

/** How often apps should read a calendar again. */
const refresh = "PT15M";

export function icalendar(calendar: Calendar): string {
  const { name, color, events, canceled } = calendar;
  const components = [
    ...events.flatMap((event) => eventLines(event, calendar, event.isTentative ? "TENTATIVE" : "CONFIRMED")),
    ...canceled.flatMap((event) => eventLines(event, { ...calendar, alarmMinutes: undefined }, "CANCELLED")),
  ];
  return [
    "BEGIN:VCALENDAR",
    "VERSION:2.0",
    "PRODID:-//Bellwire//Bellwire//EN",
    "CALSCALE:GREGORIAN",
    `NAME:${escaped(name)}`,
    // Most apps know only the name and the interval from before RFC 7986.
    `X-WR-CALNAME:${escaped(name)}`,
    `COLOR:${color}`,
    `REFRESH-INTERVAL;VALUE=DURATION:${refresh}`,
    `X-PUBLISHED-TTL:${refresh}`,
    ...(components.length === 0 ? utcZone : components),
    "END:VCALENDAR",
  ]
    .map((line) => `${folded(line)}\r\n`)
    .join("");
}

/** A calendar must have a component, even without events. */
const utcZone = [
  ...["BEGIN:VTIMEZONE", "TZID:UTC", "BEGIN:STANDARD", "DTSTART:19700101T000000"],
  ...["TZOFFSETFROM:+0000", "TZOFFSETTO:+0000", "END:STANDARD", "END:VTIMEZONE"],
];

function eventLines(event: CalendarEvent, { name, kind, alarmMinutes }: Calendar, status: string): string[] {
  const { id, start, minutes, summary, description, url, revised } = event;
  return [
    "BEGIN:VEVENT",
    `UID:${kind}-${encodeURIComponent(id)}@bellwire`,
    `DTSTAMP:${utc(revised)}`,
    `LAST-MODIFIED:${utc(revised)}`,
    `SEQUENCE:${sequenceOf(revised)}`,
    // Instants, since the zone of the service says nothing about where the event is watched from.
    typeof start === "number" ? `DTSTART:${utc(start)}` : `DTSTART;VALUE=DATE:${start.replaceAll("-", "")}`,
    ...(minutes === undefined ? [] : [`DURATION:PT${minutes}M`]),
    `SUMMARY:${escaped(summary)}`,
    ...(description.length === 0 ? [] : [`DESCRIPTION:${escaped(description.join("\n"))}`]),
    ...(url !== undefined && isWebAddress(url) ? [`URL:${new URL(url).href}`] : []),
    `CATEGORIES:${escaped(name)}`,
    `STATUS:${status}`,
    // An event of the market blocks nobody's time.
    "TRANSP:TRANSPARENT",
    ...(alarmMinutes === undefined ? [] : alarmLines(summary, alarmMinutes)),
    "END:VEVENT",
  ];
}

const alarmLines = (summary: string, minutes: number): string[] => [
  ...["BEGIN:VALARM", "ACTION:DISPLAY", `DESCRIPTION:${escaped(summary)}`, `TRIGGER:-PT${minutes}M`, "END:VALARM"],
];

/** Counted from 2000, so that 32 bits last until 2068. */
const sequenceEpoch = 946_684_800;

/** Increases with every revision of a record. */
const sequenceOf = (revised: number): number => Math.min(Math.max(0, revised - sequenceEpoch), 2 ** 31 - 1);

/** Latest second that can be written with a year of four digits. */
const lastSecond = 253_402_300_799;

/** `20241105T143000Z` */
const utc = (seconds: number): string =>
  new Date(Math.min(seconds, lastSecond) * 1000).toISOString().replace(/\.\d+/, "").replaceAll(/[-:]/g, "");

const escaped = (text: string): string =>
  text
    // Some apps end a line at any of these.
    .replaceAll(/\r\n?|[\n\x85\u2028\u2029]/g, "\n")
    // biome-ignore lint/suspicious/noControlCharactersInRegex: exactly the ones that text can't contain.
    .replaceAll(/[\x00-\x08\x0b-\x1f\x7f-\x9f]/g, "")
    .replaceAll(/[\\;,]/g, "\\$&")
    .replaceAll("\n", "\\n");

/** Octets of a line, without its line break. */
const maxOctets = 75;

/** Continues long lines on the next one after a space, never inside a character. */
function folded(line: string): string {
  if (line.length * 3 <= maxOctets || Buffer.byteLength(line) <= maxOctets) return line;
  let out = "";
  let octets = 0;
  for (const character of line) {
    const size = Buffer.byteLength(character);
    if (octets + size > maxOctets) {
      out += "\r\n ";
      octets = 1;
    }
    out += character;
    octets += size;
  }
  return out;
}
