// Days and times. A day is a string such as `2026-11-15`; arithmetic uses UTC, where every day has 24 hours.

const dayMs = 86_400_000;

export const isDay = (text: string): boolean =>
  /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(Date.parse(text)) && textOf(new Date(text)) === text;

const textOf = (date: Date): string => date.toISOString().slice(0, 10);

export const addDays = (day: string, days: number): string => textOf(new Date(Date.parse(day) + days * dayMs));

/** Caches a format per zone, since creating one is expensive. */
export function byZone(options: Intl.DateTimeFormatOptions, language: string): (zone: string) => Intl.DateTimeFormat {
  const formats = new Map<string, Intl.DateTimeFormat>();
  return (zone) => {
    const known = formats.get(zone) ?? new Intl.DateTimeFormat(language, { ...options, timeZone: zone });
    formats.set(zone, known);
    return known;
  };
}

const dayFormat = byZone({ year: "numeric", month: "2-digit", day: "2-digit" }, "en-CA");

/** The current day in a time zone. */
export const todayIn = (zone: string, now = new Date()): string => dayFormat(zone).format(now);

/** `tomorrow`, `in 3 days`, `yesterday`, or `49 days ago`; `today`. */
export function relativeDay(day: string, today: string): string {
  const days = Math.round((Date.parse(day) - Date.parse(today)) / dayMs);
  if (Math.abs(days) < 2) return ["yesterday", "today", "tomorrow"][days + 1] ?? "";
  return days > 0 ? `in ${days} days` : `${-days} days ago`;
}

/** 0 for Monday up to 6 for Sunday. */
export const weekdayOf = (day: string): number => (new Date(day).getUTCDay() + 6) % 7;
export const mondayOf = (day: string): string => addDays(day, -weekdayOf(day));

/** Monday and Sunday of the current week, or of the next one on a weekend. */
export function workingWeek(day: string): readonly [monday: string, sunday: string] {
  const monday = weekdayOf(day) >= 5 ? addDays(mondayOf(day), 7) : mondayOf(day);
  return [monday, addDays(monday, 6)];
}

/** `2026-11` of `2026-11-15`. */
export const monthOf = (day: string): string => day.slice(0, 7);

export function addMonths(month: string, months: number): string {
  const [year = 0, number = 1] = month.split("-").map(Number);
  return textOf(new Date(Date.UTC(year, number - 1 + months, 1))).slice(0, 7);
}

/** The weeks of a month, each from Monday to Sunday. */
export function weeksOf(month: string): string[][] {
  const first = mondayOf(`${month}-01`);
  const last = addDays(`${addMonths(month, 1)}-01`, -1);
  const weeks: string[][] = [];
  for (let monday = first; monday <= last; monday = addDays(monday, 7))
    weeks.push(Array.from({ length: 7 }, (_, at) => addDays(monday, at)));
  return weeks;
}

/** Formats days, with a cache. */
const dayFormatter = (options: Intl.DateTimeFormatOptions) => {
  const format = new Intl.DateTimeFormat("en-US", { ...options, timeZone: "UTC" });
  const cache = new Map<string, string>();
  return (day: string): string => {
    const known = cache.get(day);
    if (known !== undefined) return known;
    const text = isDay(day) ? format.format(new Date(day)) : day;
    if (cache.size < maxCachedDays) cache.set(day, text);
    return text;
  };
};

const maxCachedDays = 2000;

/** `Nov 15, 2026`. */
export const dayText = dayFormatter({ year: "numeric", month: "short", day: "numeric" });
/** `Sun, Nov 15`. */
export const shortDay = dayFormatter({ weekday: "short", month: "short", day: "numeric" });
/** `Jun 15 – 21, 2026`, or `Jun 29 – Jul 5, 2026`. */
export function dayRangeText(from: string, to: string): string {
  if (from === to) return dayText(from);
  const first = from.slice(0, 4) === to.slice(0, 4) ? dayText(from).replace(/, \d+$/, "") : dayText(from);
  return `${first} – ${monthOf(from) === monthOf(to) ? dayText(to).replace(/^\w+ /, "") : dayText(to)}`;
}

/** `Sunday, November 15, 2026`. */
export const longDay = dayFormatter({ weekday: "long", year: "numeric", month: "long", day: "numeric" });
/** `Sun`. */
export const weekdayText = dayFormatter({ weekday: "short" });

/** `November 2026`. */
export const monthText = (month: string): string =>
  new Intl.DateTimeFormat("en-US", { year: "numeric", month: "long", timeZone: "UTC" }).format(new Date(`${month}-01`));

const sessions: Readonly<Record<string, string>> = { bmo: "before open", dmh: "market hours", amc: "after close" };

/** `09:30` for `09:30:00`; a session code in words; empty if unknown. */
export const clockText = (time: unknown): string => {
  const text = typeof time === "string" ? time : "";
  return sessions[text.toLowerCase()] ?? text.replace(/^(\d\d:\d\d):\d\d$/, "$1");
};

/** `5 min ago`; empty if older than a week. */
export function agoText(seconds: number, now = Date.now() / 1000): string {
  const age = Math.max(0, now - seconds);
  if (age < 60) return "just now";
  if (age < 3600) return `${Math.floor(age / 60)} min ago`;
  if (age < 86_400) return `${Math.floor(age / 3600)} h ago`;
  return age < 7 * 86_400 ? `${Math.floor(age / 86_400)} d ago` : "";
}
