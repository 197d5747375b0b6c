// Guidance for coming quarters: issued with the report, and occasionally revised shortly before the next one.
import { fixed, revenueText, roundRevenue } from "../amounts.ts";
import type { Company, Quarter } from "../companies/company.ts";
import { calendarId } from "../companies/identifiers.ts";
import { clockAt, clockText, dayText, newYorkSeconds, tradingDaysLater } from "../days.ts";
import type { Draw } from "../draw.ts";
import { type DemoRecord, type LazyRecord, lastKnown, syntheticNote, type World } from "../world.ts";

export type Range = { low: number; high: number };

type View = { eps: Range | undefined; revenue: Range | undefined };

export type Guidance = View & {
  company: Company;
  day: number;
  clock: number;
  period: string;
  year: number;
  epsType: string;
  epsExpected: number;
  revenueExpected: number;
  before: View | undefined;
  primary: boolean;
  preliminary: boolean;
  /** Distinguishes the records of one company. */
  name: string;
};

function around(center: number, width: number, round: (value: number) => number): Range {
  const low = round(center - Math.abs(center) * width);
  const high = round(center + Math.abs(center) * width);
  return { low, high };
}

/** Cents; larger amounts are guided in steps of five. */
function roundEps(cents: number): number {
  const step = Math.abs(cents) > 200 ? 5 : 1;
  return Math.round(cents / step) * step;
}

/** Three figures, as such guidance is worded. */
function roundSales(thousands: number): number {
  let step = 1;
  while (thousands / step >= 1000) step *= 10;
  return roundRevenue(Math.round(thousands / step) * step);
}

class Guide {
  readonly #company: Company;
  readonly #givesYear: boolean;
  readonly #givesQuarter: boolean;
  readonly #givesEps: boolean;
  readonly #givesRevenue: boolean;
  readonly #givesGaap: boolean;

  constructor(company: Company) {
    const draw = company.draw.at("guide");
    this.#company = company;
    this.#givesYear = draw.chance(0.5);
    const regular = company.slot !== undefined && company.slot.place < 2;
    this.#givesQuarter = draw.chance(0.35) || regular;
    this.#givesEps = draw.chance(0.85);
    this.#givesRevenue = !this.#givesEps || draw.chance(0.8);
    this.#givesGaap = company.epsType === "Adj" && draw.chance(0.2);
  }

  #view(eps: number, revenue: number, width: number): View {
    return {
      eps: this.#givesEps ? around(eps, width, roundEps) : undefined,
      revenue: this.#givesRevenue ? around(revenue, width / 2, roundSales) : undefined,
    };
  }

  /** Unadjusted earnings lie below the adjusted ones by much the same part each time. */
  #unadjusted(view: View): View {
    const part = this.#company.draw.at("unadjusted").between(0.72, 0.9);
    const lower = (cents: number) => roundEps(cents > 0 ? cents * part : cents / part);
    return { eps: view.eps && { low: lower(view.eps.low), high: lower(view.eps.high) }, revenue: undefined };
  }

  #saysYear(index: number): boolean {
    return this.#givesYear && this.#company.draw.at("says year", index).chance(0.92);
  }

  /** The fiscal year as it looks at a report: reported quarters as they were, the others as expected. */
  #year(index: number, year: number): { view: View; epsExpected: number; revenueExpected: number } {
    let first = index - 4;
    while (this.#company.fiscalYear(first) < year) first++;
    let eps = 0;
    let revenue = 0;
    for (let i = first; i < first + 4; i++) {
      const quarter = this.#company.quarter(i);
      eps += i <= index ? quarter.eps : quarter.epsExpected;
      revenue += i <= index ? quarter.revenue : quarter.revenueExpected;
    }
    const tone = this.#company.draw.at("tone", index).between(-0.015, 0.02);
    const left = first + 3 - index;
    return {
      view: this.#view(eps * (1 + tone / 2), revenue * (1 + tone / 4), 0.008 + 0.008 * left),
      epsExpected: Math.round(eps * (1 - tone / 2)),
      revenueExpected: roundRevenue(revenue * (1 - tone / 4)),
    };
  }

  #yearGuided(index: number): number {
    return this.#company.fiscalYear(index + 1);
  }

  /** The last guidance for the year before this report. */
  #yearBefore(index: number, year: number): View | undefined {
    for (let i = index - 1; this.#yearGuided(i) === year; i--) if (this.#saysYear(i)) return this.#year(i, year).view;
    return undefined;
  }

  *#primary(quarter: Quarter): Generator<Guidance> {
    const { company, index } = quarter;
    const shared = {
      company,
      day: quarter.reportDay,
      clock: quarter.reportClock,
      epsType: company.epsType,
      primary: true,
      preliminary: false,
    };
    if (this.#saysYear(index)) {
      const year = this.#yearGuided(index);
      const { view, ...expected } = this.#year(index, year);
      const before = this.#yearBefore(index, year);
      yield { ...shared, ...view, ...expected, period: "FY", year, before, name: `year ${index}` };
    }
    if (!this.#givesQuarter) return;
    const next = company.quarter(index + 1);
    const draw = company.draw.at("outlook", index);
    const expected = { epsExpected: next.epsExpected, revenueExpected: next.revenueExpected };
    const tone = draw.between(-0.03, 0.03);
    const view = this.#view(next.epsExpected * (1 + tone), next.revenueExpected * (1 + tone / 3), 0.02);
    const label = { period: next.period, year: next.year };
    yield { ...shared, ...view, ...expected, ...label, before: undefined, name: `quarter ${index}` };
    // A large surprise is sometimes announced before the report.
    if (draw.chance(0.05)) {
      const day = tradingDaysLater(next.reportDay, -draw.int(8, 12));
      const early = this.#view(next.eps, next.revenue, 0.008);
      const when = { day, clock: clockAt(draw.int(7, 8), draw.int(0, 59)), preliminary: true };
      yield { ...shared, ...early, ...expected, ...label, ...when, before: view, name: `early ${index}` };
    }
  }

  *issued(quarter: Quarter): Generator<Guidance> {
    for (const item of this.#primary(quarter)) {
      yield item;
      if (!this.#givesGaap || !item.eps || item.preliminary) continue;
      const before = item.before && this.#unadjusted(item.before);
      const own = { ...this.#unadjusted(item), before, epsType: "GAAP", primary: false };
      yield { ...item, ...own, name: `${item.name} gaap` };
    }
  }
}

/** All guidance issued from one day to another, both inclusive. */
export function* guidanceOf(company: Company, fromDay: number, toDay: number): Generator<Guidance> {
  const guide = new Guide(company);
  // An early revision comes nearly a quarter after the report it belongs to.
  for (const quarter of company.quartersAround(fromDay - 92, toDay)) {
    for (const item of guide.issued(quarter)) if (item.day >= fromDay && item.day <= toDay) yield item;
  }
}

export function* guidanceRecords(world: World): Generator<LazyRecord> {
  for (const company of world.companies) {
    for (const item of guidanceOf(company, world.fromDay, world.today)) {
      const draw = company.draw.at("guidance").at(item.name);
      const written = newYorkSeconds(item.day, item.clock) + draw.int(20, 900);
      if (written <= world.now) yield () => guidanceRecord(item, written, draw, world);
    }
  }
}

function guidanceRecord(item: Guidance, written: number, draw: Draw, world: World): DemoRecord {
  const { company, eps, revenue, before } = item;
  const cents = (value: number | undefined) => (value === undefined ? "" : fixed(value, 2, 3));
  const dollars = (value: number | undefined) => (value === undefined ? "" : revenueText(value));
  return {
    id: calendarId(written, draw),
    date: dayText(item.day),
    time: clockText(item.clock),
    ticker: company.ticker,
    name: company.name,
    exchange: company.exchange,
    currency: company.currency,
    cusip: company.cusip,
    importance: company.importance,
    period: item.period,
    period_year: item.year,
    confirmed: true,
    is_primary: String(item.primary),
    prelim: String(item.preliminary),
    eps_type: eps ? item.epsType : "",
    eps_guidance_est: eps && item.primary ? cents(item.epsExpected) : "",
    eps_guidance_min: cents(eps?.low),
    eps_guidance_max: cents(eps?.high),
    eps_guidance_prior_min: cents(before?.eps?.low),
    eps_guidance_prior_max: cents(before?.eps?.high),
    revenue_type: revenue ? "GAAP" : "",
    revenue_guidance_est: revenue ? dollars(item.revenueExpected) : "",
    revenue_guidance_min: dollars(revenue?.low),
    revenue_guidance_max: dollars(revenue?.high),
    revenue_guidance_prior_min: dollars(before?.revenue?.low),
    revenue_guidance_prior_max: dollars(before?.revenue?.high),
    notes: syntheticNote,
    updated: lastKnown(world.now, written, draw.chance(1 / 15) ? written + draw.int(900, 9000) : written),
  };
}
