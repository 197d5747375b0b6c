// Economic events: every series is a chain of releases, each with the value of the previous one.
import { fixed } from "../amounts.ts";
import { calendarId } from "../companies/identifiers.ts";
import { clockText, dayInMonth, dayOf, dayText, monthOf, newYorkSeconds, tradingDayFrom, yearOf } from "../days.ts";
import { type Draw, drift } from "../draw.ts";
import { type DemoRecord, type LazyRecord, lastKnown, syntheticNote, type World } from "../world.ts";
import { countryRows, type SeriesRow, seriesOf, type Unit, unitedStates } from "./economic-series.ts";

const months = "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec".split(" ");
const multiples: Record<Unit, number> = { "%": 1, "": 1, K: 1000, M: 1_000_000, B: 1_000_000_000 };

// A Sunday: weeks are counted from it.
const firstSunday = dayOf(2000, 1, 2);
// Rate setters meet eight times a year.
const meetingMonths = [0, 2, 4, 5, 6, 8, 9, 11];

/** Numbers are whole: the value times ten to the places of the series. */
export type Release = {
  series: Series;
  day: number;
  clock: number;
  /** Moment of the release in Unix seconds. */
  moment: number;
  period: string;
  year: number;
  actual: number;
  consensus: number | undefined;
  prior: number;
  priorMoment: number;
  draw: Draw;
};

class Series {
  readonly country: string;
  readonly code: string;
  readonly row: SeriesRow;
  readonly #draw: Draw;
  readonly #clock: number;
  readonly #shift: number;

  constructor(country: string, code: string, clock: string, row: SeriesRow, root: Draw) {
    const [hour, minute] = (row[9] ?? clock).split(":").map(Number) as [number, number];
    this.country = country;
    this.code = code;
    this.row = row;
    this.#draw = root.at("economics").at(code).at(row[0]);
    this.#clock = hour * 3600 + minute * 60;
    // Countries publish on different days; the United States on those of the table.
    this.#shift = code === "USA" || row[3] === "weekly" ? 0 : root.at("calendar of").at(code).int(0, 5);
  }

  #value(index: number): number {
    const [, , , cadence, , , places, middle, swing] = this.row;
    const scale = 10 ** places;
    if (cadence === "meeting") {
      const rate = Math.max(0.25, middle + swing * drift(this.#draw, index, 10));
      return Math.round(rate * 4) * (scale / 4);
    }
    const own = this.#draw.at("own", index).between(-1, 1);
    return Math.round((middle + swing * (0.6 * drift(this.#draw, index, 7) + 0.4 * own)) * scale) || 0;
  }

  #day(index: number): number {
    const [, , , cadence, day] = this.row;
    if (cadence === "weekly") return tradingDayFrom(firstSunday + index * 7 + day);
    if (cadence === "monthly") return tradingDayFrom(dayInMonth(index + 1, day + this.#shift));
    if (cadence === "quarterly") return tradingDayFrom(dayInMonth(index * 3 + 3, day));
    const month = Math.floor(index / 8) * 12 + (meetingMonths[index % 8] as number);
    return tradingDayFrom(dayInMonth(month, day + this.#shift));
  }

  /** What a release is about: a week (by its last day), a month, or a quarter; for a decision the month it is made in. */
  #about(index: number): { period: string; year: number } {
    const cadence = this.row[3];
    if (cadence === "quarterly") return { period: `Q${(index % 4) + 1}`, year: Math.floor(index / 4) };
    if (cadence === "monthly") return { period: months[index % 12] as string, year: Math.floor(index / 12) };
    const day = cadence === "weekly" ? firstSunday + index * 7 - 1 : this.#day(index);
    const month = months[monthOf(day) - 1] as string;
    return { period: cadence === "weekly" ? `${month} ${dayText(day).slice(8)}` : month, year: yearOf(day) };
  }

  #release(index: number, day: number): Release {
    const [, , importance, cadence, , , places, , swing] = this.row;
    const draw = this.#draw.at("release", index);
    const actual = this.#value(index);
    const off = cadence === "meeting" ? 0 : Math.round(swing * 10 ** places * 0.45 * draw.between(-1, 1));
    const expected = importance > 1 || draw.chance(0.7);
    return {
      series: this,
      day,
      clock: this.#clock,
      moment: newYorkSeconds(day, this.#clock),
      ...this.#about(index),
      actual,
      consensus: expected ? actual + off : undefined,
      prior: this.#value(index - 1),
      priorMoment: newYorkSeconds(this.#day(index - 1), this.#clock),
      draw,
    };
  }

  *releases(fromDay: number, toDay: number): Generator<Release> {
    const indexOf: Record<SeriesRow[3], (day: number) => number> = {
      weekly: (day) => Math.floor((day - firstSunday) / 7),
      monthly: (day) => yearOf(day) * 12 + monthOf(day) - 1,
      quarterly: (day) => yearOf(day) * 4 + Math.floor((monthOf(day) - 1) / 3),
      meeting: (day) => yearOf(day) * 8,
    };
    const find = indexOf[this.row[3]];
    const margin = this.row[3] === "meeting" ? 8 : 2;
    for (let index = find(fromDay) - margin; index <= find(toDay) + margin; index++) {
      const day = this.#day(index);
      if (day >= fromDay && day <= toDay) yield this.#release(index, day);
    }
  }

  /** As a number in full: `250000`, `3.1`. */
  full(value: number): string {
    const [, , , , , unit, places] = this.row;
    return multiples[unit] === 1 ? fixed(value, places, places) : String((value * multiples[unit]) / 10 ** places);
  }

  /** Abbreviated: `250K`, `3.1%`. */
  short(value: number): string {
    const [, , , , , unit, places] = this.row;
    return fixed(value, places, places) + unit;
  }
}

export function allSeries(root: Draw): Series[] {
  const series = unitedStates.map((row) => new Series("United States", "USA", "08:30", row, root));
  for (const country of countryRows) {
    const [name, code, clock] = country;
    for (const row of seriesOf(country)) series.push(new Series(name, code, clock, row, root));
  }
  return series;
}

export function* economicsRecords(world: World): Generator<LazyRecord> {
  for (const series of allSeries(world.draw)) {
    for (const release of series.releases(world.fromDay, world.toDay)) yield () => economicsRecord(release, world);
  }
}

function economicsRecord(release: Release, world: World): DemoRecord {
  const { series, draw } = release;
  const [name, category, importance] = series.row;
  const entered = newYorkSeconds(release.day - draw.int(100, 118), draw.int(28_800, 64_800));
  const surveyed = newYorkSeconds(release.day - draw.int(4, 12), draw.int(28_800, 64_800));
  const known = release.moment <= world.now;
  const consensus = surveyed <= world.now ? release.consensus : undefined;
  const priorKnown = release.priorMoment <= world.now;
  const full = (value: number | undefined) => (value === undefined ? "" : series.full(value));
  const short = (value: number | undefined) => (value === undefined ? "" : series.short(value));
  const actual = known ? release.actual : undefined;
  const prior = priorKnown ? release.prior : undefined;
  return {
    id: calendarId(entered, draw),
    date: dayText(release.day),
    time: clockText(release.clock),
    country: series.country,
    country_code: series.code,
    event_name: name,
    event_category: category,
    event_period: release.period,
    period_year: release.year,
    importance,
    confirmed: surveyed <= world.now,
    actual: full(actual),
    actual_t: short(actual),
    consensus: full(consensus),
    consensus_t: short(consensus),
    prior: full(prior),
    prior_t: short(prior),
    description: `${name}, ${series.country}: invented figures of a demo series.`,
    notes: syntheticNote,
    updated: lastKnown(
      world.now,
      entered,
      surveyed,
      priorKnown ? release.priorMoment + 60 : entered,
      release.moment,
      release.moment + draw.int(1, 40),
    ),
  };
}
