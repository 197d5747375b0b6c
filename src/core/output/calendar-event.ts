// How a record becomes an event of a calendar app, as resources describe it.
import type { WireRecord } from "../record/row.ts";
import { dayNumber, type Zone, zonedInstant } from "../value/time-zone.ts";

export type EventDescription = {
  /** Fields with a day, and the summary of an event on it; the first day that is known counts. */
  readonly on: readonly { readonly day: string; readonly summary: Template }[];
  /** Fields with a clock time, the first that is known counts. Without one, the event lasts all day. */
  readonly time?: readonly string[];
  /** What a time means that isn't a clock time; added to the summary. */
  readonly sessions?: Readonly<Record<string, string>>;
  /** Duration of an event with a clock time. */
  readonly minutes?: number;
  /** Fields in the description, with their labels. */
  readonly details: Readonly<Record<string, string>>;
  readonly url?: string;
  /** Field that isn't set while the day may still change. */
  readonly confirmed?: string;
  /** Unix seconds of the last change. */
  readonly revised: string;
  /** CSS name. */
  readonly color: string;
  /** Of the calendar, and the category of its events, unless it is the title of the list. */
  readonly calendar?: string;
};

/** Parts with field names in braces, `?` after optional ones; one whose other fields are unknown is left out. */
type Template = readonly string[];

export type CalendarEvent = {
  readonly id: string;
  /** Unix seconds, or a day. */
  readonly start: number | string;
  readonly minutes: number | undefined;
  readonly summary: string;
  /** Lines. */
  readonly description: readonly string[];
  readonly url: string | undefined;
  readonly isTentative: boolean;
  /** Unix seconds. */
  readonly revised: number;
};

export function eventOf(record: WireRecord, description: EventDescription, zone: Zone): CalendarEvent {
  const { on, time = [], sessions = {}, minutes, details, confirmed, revised } = description;
  const known = (field: string | undefined): string => (field === undefined ? "" : textOf(record, field));
  const chosen = on.find(({ day }) => known(day) !== "") ?? on.at(-1);
  const day = known(chosen?.day);
  const clock = time.map(known).find((text) => text !== "") ?? "";
  const session = Object.hasOwn(sessions, clock.toLowerCase()) ? sessions[clock.toLowerCase()] : undefined;
  const start = instantOf(zone, day, clock) ?? day;
  const summary = [filled(chosen?.summary ?? [], known), session === undefined ? "" : `(${session})`];
  return {
    id: known("id"),
    start,
    minutes: start === day ? undefined : minutes,
    summary: summary.filter((part) => part !== "").join(" "),
    description: Object.entries(details).flatMap(([field, label]) =>
      known(field) === "" ? [] : [`${label}: ${known(field)}`],
    ),
    url: known(description.url) === "" ? undefined : known(description.url),
    isTentative: confirmed !== undefined && known(confirmed) === "",
    revised: Number(record[revised] ?? 0),
  };
}

/** Empty if the value is unknown. */
function textOf(record: WireRecord, field: string): string {
  const value = record[field];
  return value === undefined || value === 0 || value === false ? "" : String(value);
}

const filled = (template: Template, known: (field: string) => string): string =>
  template
    .map((part) => {
      let isKnown = true;
      const text = part.replace(/\{(\w+)(\??)\}/g, (_, field: string, optional: string) => {
        isKnown &&= optional !== "" || known(field) !== "";
        return known(field);
      });
      return isKnown ? text : "";
    })
    .join("")
    .trim();

/** First and last second that can be written with a year of four digits. */
const [firstSecond, lastSecond] = [(dayNumber("0001-01-01") ?? 0) * 86_400, (dayNumber("9999-12-31") ?? 0) * 86_400];

/** Undefined if there is no such time: the text is no clock time, or clocks skipped it. */
function instantOf(zone: Zone, day: string, clock: string): number | undefined {
  const instant = zonedInstant(zone, day, clock);
  return instant !== undefined && instant >= firstSecond && instant < lastSecond ? instant : undefined;
}
