// One company of the demo and its fiscal quarters: price level, results, estimates, and report days. The single source
// for calendars and news, so that they agree. Nothing in it depends on the current day.
import { clamp, roundRevenue } from "../amounts.ts";
import type { ReportSlot } from "../calendars/report-slots.ts";
import { clockAt, dayInMonth, monthOf, tradingDayFrom, tradingDaysLater, yearOf } from "../days.ts";
import { type Draw, drift } from "../draw.ts";
import type { CompanyRow } from "./companies.ts";
import { identifiersOf } from "./identifiers.ts";

type Session = "bmo" | "amc" | "dmh";

/** Amounts a share are cents, revenue is thousands. */
export type Quarter = {
  company: Company;
  index: number;
  period: string;
  year: number;
  reportDay: number;
  reportClock: number;
  session: Session;
  eps: number;
  epsExpected: number;
  epsYearAgo: number;
  revenue: number;
  revenueExpected: number;
  revenueYearAgo: number;
  /** No estimate was published: the expectation exists, but in no record. */
  followed: boolean;
  /** How far the price level moved with this report; 0.1 is a tenth. */
  move: number;
};

type Results = { eps: number; revenue: number };

// The last quarter of 2024: the figures of the table are the scale of about that time.
const anchor = 2024 * 4 + 3;
const lateReporters = new Set(["Tech", "Software", "Internet", "Semiconductors", "Media", "Biotech"]);
const holidaySellers = new Set(["Retail", "Internet", "Tech", "Transport"]);

export class Company {
  readonly ticker: string;
  readonly name: string;
  readonly exchange: string;
  readonly sector: string;
  readonly currency: string;
  /** Currency symbol before an amount in a headline. */
  readonly sign: string;
  readonly cusip: string;
  readonly isin: string;
  readonly importance: number;
  readonly dividendsPerYear: number;
  readonly yieldPercent: number;
  readonly epsType: string;
  /** Its slot for reporting; undefined if it reports in season. */
  readonly slot: ReportSlot | undefined;
  readonly draw: Draw;
  readonly #yearEnd: number;
  readonly #price: number;
  readonly #eps: number;
  readonly #revenue: number;
  readonly #growth: number;
  readonly #reportLag: number;
  readonly #session: Session;
  readonly #levels = new Map<number, number>();
  readonly #results = new Map<number, Results>();
  readonly #quarters = new Map<number, Quarter>();

  constructor(row: CompanyRow, place: number, root: Draw, slot?: ReportSlot) {
    const [ticker, name, exchange, sector, yearEnd, price, eps, revenue, dividendsPerYear, yieldPercent] = row;
    const canadian = exchange === "TSX";
    const { cusip, isin } = identifiersOf(place, canadian ? "CA" : "US");
    this.ticker = ticker;
    this.name = name;
    this.exchange = exchange;
    this.sector = sector;
    this.currency = canadian ? "CAD" : "USD";
    this.sign = canadian ? "C$" : "$";
    this.cusip = cusip;
    this.isin = isin;
    this.importance = revenue > 150_000 ? 5 : revenue > 45_000 ? 4 : revenue > 15_000 ? 3 : revenue > 5000 ? 2 : 1;
    this.dividendsPerYear = dividendsPerYear;
    this.yieldPercent = yieldPercent;
    this.slot = slot;
    this.draw = root.at(ticker);
    const traits = this.draw.at("traits");
    this.epsType = sector === "REIT" ? "FFO" : traits.chance(0.78) ? "Adj" : "GAAP";
    this.#yearEnd = yearEnd;
    this.#price = price;
    this.#eps = eps;
    this.#revenue = revenue;
    this.#growth = traits.between(-0.006, 0.022);
    this.#reportLag = sector === "Banks" ? traits.int(12, 18) : traits.int(10, 20) + traits.int(11, 21);
    const late = lateReporters.has(sector) ? 0.85 : sector === "Banks" ? 0 : 0.25;
    this.#session = traits.chance(0.03) ? "dmh" : traits.chance(late) ? "amc" : "bmo";
  }

  /** Last month of a fiscal quarter, counted year * 12 + month - 1. */
  #lastMonth(index: number): number {
    return index * 3 + ((this.#yearEnd - 1) % 3);
  }

  /** 1 to 4. */
  fiscalQuarter(index: number): number {
    const after = (((this.#lastMonth(index) - this.#yearEnd + 1) % 12) + 12) % 12;
    return after === 0 ? 4 : after / 3;
  }

  /** Named for the calendar year in which it ends. */
  fiscalYear(index: number): number {
    return Math.floor((this.#lastMonth(index) + 3 * (4 - this.fiscalQuarter(index))) / 12);
  }

  /** Price level from the report of this quarter to the next one. */
  level(index: number): number {
    let level = this.#levels.get(index);
    if (level === undefined) {
      const draw = this.draw.at("level");
      const trend = clamp(1 + this.#growth * (index - anchor), 0.5, 2.5);
      const wave = 0.17 * drift(draw, index, 5) + 0.07 * draw.at("own", index).between(-1, 1);
      level = this.#price * trend * (1 + wave);
      this.#levels.set(index, level);
    }
    return level;
  }

  #result(index: number): Results {
    let result = this.#results.get(index);
    if (result === undefined) {
      const draw = this.draw.at("result", index);
      const quarter = this.fiscalQuarter(index);
      const lift = quarter === 4 && holidaySellers.has(this.sector) ? 1.22 : 1;
      const season = this.draw.at("season", quarter).between(0.92, 1.08) * lift;
      const trend = clamp(1 + (this.#growth + 0.003) * (index - anchor), 0.4, 3);
      const eps = Math.round((this.#eps * 100 * season * trend * draw.between(0.93, 1.07)) / 4);
      const revenue = roundRevenue((this.#revenue * 1000 * season * trend * draw.between(0.975, 1.025)) / 4);
      result = { eps: eps === 0 ? 1 : eps, revenue };
      this.#results.set(index, result);
    }
    return result;
  }

  quarter(index: number): Quarter {
    let quarter = this.#quarters.get(index);
    if (quarter === undefined) {
      quarter = this.#tellQuarter(index);
      this.#quarters.set(index, quarter);
    }
    return quarter;
  }

  #tellQuarter(index: number): Quarter {
    const draw = this.draw.at("quarter", index);
    const { eps, revenue } = this.#result(index);
    const yearAgo = this.#result(index - 4);
    const move = this.level(index) / this.level(index - 1) - 1;
    const number = this.fiscalQuarter(index);
    // A price that rose is more often the price of a company that did better than expected.
    const outcome = draw.unit();
    const beats = clamp(0.7 + move * 1.6, 0.3, 0.95);
    const side = outcome < beats ? 1 : outcome < beats + 0.05 ? 0 : -1;
    const gap = Math.max(1, Math.round(Math.abs(eps) * draw.between(0.01, 0.11)));
    const expected = eps - side * gap;
    // Sales are hardly ever met to the million.
    const revenueSide = draw.chance(0.75) ? side || 1 : -side || -1;
    const revenueGap = roundRevenue(revenue * draw.between(0.002, 0.028));
    const session = this.#session;
    return {
      company: this,
      index,
      period: `Q${number}`,
      year: this.fiscalYear(index),
      reportDay: this.#reportDay(index, draw.int(-2, 2)),
      reportClock: reportClock(session, draw),
      session,
      eps,
      // An estimate of zero has no percentage; a cent off preserves the sign.
      epsExpected: expected === 0 ? -side || 1 : expected,
      epsYearAgo: yearAgo.eps,
      revenue,
      revenueExpected: roundRevenue(revenue - revenueSide * revenueGap),
      revenueYearAgo: yearAgo.revenue,
      followed: !draw.chance(this.exchange === "OTC" ? 0.5 : 0.02),
      move,
    };
  }

  #reportDay(index: number, jitter: number): number {
    const end = dayInMonth(this.#lastMonth(index), 31);
    if (this.slot) return tradingDaysLater(end, this.slot.tradingDays);
    // The last quarter of a year takes longer to close.
    return tradingDayFrom(end + this.#reportLag + jitter + (this.fiscalQuarter(index) === 4 ? 5 : 0));
  }

  /** Every quarter whose report may fall in the range, and a few more: callers check the day. */
  *quartersAround(fromDay: number, toDay: number): Generator<Quarter> {
    const first = Math.floor((yearOf(fromDay) * 12 + monthOf(fromDay)) / 3) - 2;
    const last = Math.ceil((yearOf(toDay) * 12 + monthOf(toDay)) / 3);
    for (let index = first; index <= last; index++) yield this.quarter(index);
  }
}

function reportClock(session: Session, draw: Draw): number {
  if (session === "bmo") return clockAt(6, draw.pick([0, 0, 15, 30, 30, 45, 50]) + draw.int(0, 60), draw.int(0, 59));
  if (session === "amc") return clockAt(16, draw.pick([1, 1, 2, 5, 5, 8, 10, 15, 30]), draw.int(0, 59));
  return clockAt(draw.int(11, 14), draw.int(0, 55), draw.int(0, 59));
}
