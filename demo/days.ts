// Days as whole numbers (days since 1970-01-01), the trading days of the New York market, and New York clock time as
// Unix seconds. Everything is computed from rules, independent of the host's time zone.

const texts = new Map<number, string>();

export function dayOf(year: number, month: number, day: number): number {
  return Date.UTC(year, month - 1, day) / 86_400_000;
}

/** `YYYY-MM-DD` as a day number; anything else, or a day that does not exist, is a RangeError. */
export function readDay(text: string): number {
  const parts = /^(\d{4})-(\d\d)-(\d\d)$/.exec(text);
  const day = parts ? dayOf(Number(parts[1]), Number(parts[2]), Number(parts[3])) : Number.NaN;
  if (Number.isNaN(day) || dayText(day) !== text) throw new RangeError(`not a day of the form YYYY-MM-DD: ${text}`);
  return day;
}

export function dayText(day: number): string {
  let text = texts.get(day);
  if (text === undefined) {
    text = new Date(day * 86_400_000).toISOString().slice(0, 10);
    texts.set(day, text);
  }
  return text;
}

// Cached, since days are looked up by the million. 40,000 days last until 2079.
const years = new Int16Array(40_000);
const trading = new Int8Array(40_000);

export function yearOf(day: number): number {
  let year = years[day];
  if (!year) {
    year = Number(dayText(day).slice(0, 4));
    years[day] = year;
  }
  return year;
}

/** 1 to 12. */
export function monthOf(day: number): number {
  return Number(dayText(day).slice(5, 7));
}

/** 0 is Sunday. 1970-01-01 was a Thursday. */
export function weekday(day: number): number {
  return (((day + 4) % 7) + 7) % 7;
}

/** The same day of another month, or its last day if it is too short. Months are year * 12 + month - 1. */
export function dayInMonth(monthIndex: number, day: number): number {
  const first = dayOf(Math.floor(monthIndex / 12), (monthIndex % 12) + 1, 1);
  const next = dayOf(Math.floor((monthIndex + 1) / 12), ((monthIndex + 1) % 12) + 1, 1);
  return Math.min(first + day - 1, next - 1);
}

function nthWeekday(year: number, month: number, wanted: number, nth: number): number {
  const first = dayOf(year, month, 1);
  return first + ((wanted - weekday(first) + 7) % 7) + (nth - 1) * 7;
}

/** Easter Sunday by the Gregorian computus; the market is closed on the Friday before it. */
function easter(year: number): number {
  const golden = year % 19;
  const century = Math.floor(year / 100);
  const moon = (century - Math.floor(century / 4) - Math.floor((8 * century + 13) / 25) + 19 * golden + 15) % 30;
  const full = moon - Math.floor(moon / 28) * (1 - Math.floor(29 / (moon + 1)) * Math.floor((21 - golden) / 11));
  const sunday = (year + Math.floor(year / 4) + full + 2 - century + Math.floor(century / 4)) % 7;
  return dayOf(year, 3, 28) + full - sunday;
}

function observed(day: number): number {
  return weekday(day) === 6 ? day - 1 : weekday(day) === 0 ? day + 1 : day;
}

const holidays = new Map<number, Set<number>>();

function holidaysOf(year: number): Set<number> {
  let days = holidays.get(year);
  if (days === undefined) {
    const newYear = dayOf(year, 1, 1);
    const memorial = nthWeekday(year, 6, 1, 1) - 7;
    days = new Set([
      // A New Year's Day on a Saturday isn't observed: the last day of the year is a trading day.
      weekday(newYear) === 0 ? newYear + 1 : newYear,
      nthWeekday(year, 1, 1, 3),
      nthWeekday(year, 2, 1, 3),
      easter(year) - 2,
      memorial,
      observed(dayOf(year, 7, 4)),
      nthWeekday(year, 9, 1, 1),
      nthWeekday(year, 11, 4, 4),
      observed(dayOf(year, 12, 25)),
    ]);
    // Juneteenth is a market holiday since 2022.
    if (year >= 2022) days.add(observed(dayOf(year, 6, 19)));
    holidays.set(year, days);
  }
  return days;
}

export function isTradingDay(day: number): boolean {
  let known = trading[day];
  if (!known) {
    const name = weekday(day);
    known = name !== 0 && name !== 6 && !holidaysOf(yearOf(day)).has(day) ? 1 : -1;
    trading[day] = known;
  }
  return known === 1;
}

export function tradingDayFrom(day: number): number {
  let found = day;
  while (!isTradingDay(found)) found++;
  return found;
}

/** The trading day `count` trading days later (earlier when negative). */
export function tradingDaysLater(day: number, count: number): number {
  const step = count < 0 ? -1 : 1;
  let found = day;
  for (let left = Math.abs(count); left > 0; ) {
    found += step;
    if (isTradingDay(found)) left--;
  }
  return found;
}

const summers = new Map<number, { spring: number; autumn: number }>();

/** The Sundays on which daylight saving time begins and ends, by the rule in force since 2007. */
function summerOf(year: number): { spring: number; autumn: number } {
  let summer = summers.get(year);
  if (summer === undefined) {
    summer = { spring: nthWeekday(year, 3, 0, 2), autumn: nthWeekday(year, 11, 0, 1) };
    summers.set(year, summer);
  }
  return summer;
}

/** Unix seconds of a New York time in seconds after midnight. */
export function newYorkSeconds(day: number, clock: number): number {
  const { spring, autumn } = summerOf(yearOf(day));
  const summer =
    (day > spring || (day === spring && clock >= 7200)) && (day < autumn || (day === autumn && clock < 7200));
  return day * 86_400 + clock + (summer ? 4 : 5) * 3600;
}

export function clockAt(hour: number, minute: number, second = 0): number {
  return hour * 3600 + minute * 60 + second;
}

/** `hh:mm:ss`. */
export function clockText(clock: number): string {
  const two = (value: number) => String(value).padStart(2, "0");
  return `${two(Math.floor(clock / 3600))}:${two(Math.floor(clock / 60) % 60)}:${two(clock % 60)}`;
}
