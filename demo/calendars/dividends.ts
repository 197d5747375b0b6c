// Dividends: chains of regular payments, occasional special ones, and the next expected ones.
import { clamp, fixed } from "../amounts.ts";
import type { Company } from "../companies/company.ts";
import { calendarId } from "../companies/identifiers.ts";
import {
  clockAt,
  dayInMonth,
  dayOf,
  dayText,
  monthOf,
  newYorkSeconds,
  tradingDayFrom,
  tradingDaysLater,
  yearOf,
} from "../days.ts";
import type { Draw } from "../draw.ts";
import { type DemoRecord, type LazyRecord, lastKnown, syntheticNote, type World } from "../world.ts";

/** Amounts are ten-thousandths of the currency unit. */
export type Dividend = {
  company: Company;
  kind: "Cash" | "Special" | "Stock";
  announcedDay: number;
  announcedClock: number;
  exDay: number;
  recordDay: number;
  payableDay: number;
  amount: number;
  amountBefore: number | undefined;
  /** Announced day of the regular payment before this one. */
  dayBefore: number;
  yieldTenThousandths: number;
  period: string;
  year: number;
  draw: Draw;
};

const months = "January February March April May June July August September October November December".split(" ");

// Trades settle in one day since then, so the ex-date is the record date; before, it was the trading day ahead of it.
const oneDaySettlement = dayOf(2024, 5, 28);

class Payer {
  readonly #company: Company;
  readonly #announceOffset: number;
  readonly #exLag: number;
  readonly #payLag: number;
  readonly #raise: number;
  readonly #raiseMonth: number;

  constructor(company: Company) {
    const habit = company.draw.at("dividend habit");
    this.#company = company;
    // Companies with a slot keep to fixed intervals, so that every trading day has announcements and ex-dates.
    const place = company.slot?.place ?? 2;
    this.#announceOffset = habit.chance(0.45) || place < 2 ? 0 : habit.int(-12, 16);
    this.#exLag = [9, 14][place] ?? habit.int(8, 20);
    this.#payLag = habit.int(11, 26);
    this.#raise = habit.between(0, 0.085);
    this.#raiseMonth = habit.int(0, 11);
  }

  #amount(monthIndex: number): number {
    const { dividendsPerYear, yieldPercent } = this.#company;
    // The yield of the table is that of late 2024.
    const yearly = this.#company.level(2024 * 4 + 3) * (yieldPercent / 100);
    const years = Math.floor((monthIndex - this.#raiseMonth) / 12) - 2024;
    const exact = (yearly / dividendsPerYear) * clamp(1 + this.#raise * years, 0.4, 3);
    // In cents, in half cents if that is a large part of it, and in tenths if monthly.
    const step = dividendsPerYear === 12 ? 5 : exact > 0.5 ? 100 : exact > 0.08 ? 50 : 25;
    return Math.max(step, Math.round((exact * 10_000) / step) * step);
  }

  /** One payment; `index` counts months for monthly payers and fiscal quarters for all others. */
  payment(index: number): Dividend {
    const company = this.#company;
    const draw = company.draw.at("dividend", index);
    const monthly = company.dividendsPerYear === 12;
    const announcedDay = this.#announcedDay(index);
    const quarterIndex = monthly ? Math.floor(index / 3) - 1 : index;
    const monthIndex = monthly ? index : index * 3;
    const step = monthly ? 1 : 4 / company.dividendsPerYear;
    const amount = this.#amount(monthIndex);
    const level = company.level(quarterIndex);
    const year = monthly ? Math.floor(index / 12) : company.fiscalYear(index);
    return {
      company,
      kind: "Cash",
      announcedDay,
      announcedClock: this.#clock(index, draw),
      ...this.#dates(announcedDay, monthly ? 6 : this.#exLag),
      amount,
      amountBefore: this.#amount(monthIndex - (monthly ? 1 : step * 3)),
      dayBefore: this.#announcedDay(index - step),
      yieldTenThousandths: Math.round((amount * company.dividendsPerYear) / level),
      period: this.#period(index),
      year,
      draw,
    };
  }

  #period(index: number): string {
    const { dividendsPerYear } = this.#company;
    if (dividendsPerYear === 12) return months[((index % 12) + 12) % 12] as string;
    const quarter = this.#company.fiscalQuarter(index);
    return dividendsPerYear === 4 ? `Q${quarter}` : dividendsPerYear === 2 ? `H${quarter / 2}` : "FY";
  }

  #announcedDay(index: number): number {
    if (this.#company.dividendsPerYear === 12) return tradingDayFrom(dayInMonth(index, 8));
    return tradingDaysLater(this.#company.quarter(index).reportDay, this.#announceOffset);
  }

  /** A dividend declared with the results is announced with the report; others have a separate time. */
  #clock(index: number, draw: Draw): number {
    if (this.#company.dividendsPerYear !== 12 && this.#announceOffset === 0) {
      return this.#company.quarter(index).reportClock + draw.int(0, 300);
    }
    return clockAt(draw.pick([8, 9, 10, 12, 14, 16, 16, 17]), draw.int(0, 59), draw.int(0, 59));
  }

  #dates(announcedDay: number, exLag: number): { exDay: number; recordDay: number; payableDay: number } {
    const exDay = tradingDaysLater(announcedDay, exLag);
    const recordDay = exDay >= oneDaySettlement ? exDay : tradingDaysLater(exDay, 1);
    return { exDay, recordDay, payableDay: tradingDayFrom(recordDay + this.#payLag) };
  }

  paysAt(index: number): boolean {
    const { dividendsPerYear } = this.#company;
    if (dividendsPerYear === 12 || dividendsPerYear === 4) return true;
    const quarter = this.#company.fiscalQuarter(index);
    return dividendsPerYear === 2 ? quarter % 2 === 0 : quarter === 4;
  }

  /** A special payment, about one in eighty quarters, outside the chain of regular ones. */
  extra(index: number): Dividend | undefined {
    const draw = this.#company.draw.at("extra dividend", index);
    if (this.#company.dividendsPerYear !== 4 || !draw.chance(0.013)) return undefined;
    const regular = this.payment(index);
    const stock = draw.chance(0.15);
    const amount = stock ? draw.pick([200, 250, 500]) : draw.int(2, 8) * Math.ceil(regular.amount / 1000) * 1000;
    const level = this.#company.level(index);
    return {
      ...regular,
      kind: stock ? "Stock" : "Special",
      ...this.#dates(regular.announcedDay, this.#exLag + 3),
      amount,
      amountBefore: undefined,
      yieldTenThousandths: stock ? 0 : Math.round(amount / level),
      period: "",
      draw,
    };
  }
}

/** Payments announced, or expected to be announced, from one day to another, both inclusive. */
export function* dividendsOf(company: Company, fromDay: number, toDay: number): Generator<Dividend> {
  if (company.dividendsPerYear === 0) return;
  const payer = new Payer(company);
  const within = (dividend: Dividend) => dividend.announcedDay >= fromDay && dividend.announcedDay <= toDay;
  if (company.dividendsPerYear === 12) {
    const last = yearOf(toDay) * 12 + monthOf(toDay) - 1;
    for (let month = yearOf(fromDay) * 12 + monthOf(fromDay) - 2; month <= last; month++) {
      const payment = payer.payment(month);
      if (within(payment)) yield payment;
    }
    return;
  }
  for (const { index } of company.quartersAround(fromDay - 31, toDay + 31)) {
    if (!payer.paysAt(index)) continue;
    const payment = payer.payment(index);
    if (!within(payment)) continue;
    yield payment;
    const extra = payer.extra(index);
    if (extra) yield extra;
  }
}

const announcedAt = (dividend: Dividend): number => newYorkSeconds(dividend.announcedDay, dividend.announcedClock);

export function* dividendRecords(world: World): Generator<LazyRecord> {
  for (const company of world.companies) {
    for (const dividend of dividendsOf(company, world.fromDay, world.toDay)) {
      // Special payments aren't expected before they are announced.
      if (dividend.kind === "Cash" || announcedAt(dividend) <= world.now) yield () => dividendRecord(dividend, world);
    }
  }
}

function dividendRecord(dividend: Dividend, world: World): DemoRecord {
  const { company, draw, kind } = dividend;
  const announced = announcedAt(dividend);
  const known = announced <= world.now;
  const regular = kind === "Cash";
  const entered = regular
    ? newYorkSeconds(dividend.announcedDay - draw.int(100, 118), clockAt(draw.int(8, 18), draw.int(0, 59)))
    : announced;
  const written = announced + draw.int(20, 900);
  const priorKnown = dividend.amountBefore !== undefined && dividend.dayBefore <= world.today;
  return {
    id: calendarId(entered, draw),
    date: dayText(dividend.announcedDay),
    ticker: company.ticker,
    name: company.name,
    exchange: company.exchange,
    currency: company.currency,
    cusip: company.cusip,
    isin: company.isin,
    importance: Math.max(0, company.importance - 1),
    confirmed: known,
    dividend: known ? fixed(dividend.amount, 4, 4) : "",
    dividend_prior: priorKnown ? fixed(dividend.amountBefore ?? 0, 4, 4) : "",
    dividend_type: kind,
    dividend_yield: known && kind !== "Stock" ? fixed(dividend.yieldTenThousandths, 4, 4) : "",
    end_regular_dividend: false,
    ex_dividend_date: known ? dayText(dividend.exDay) : "",
    record_date: known ? dayText(dividend.recordDay) : "",
    payable_date: known ? dayText(dividend.payableDay) : "",
    frequency: regular ? company.dividendsPerYear : 0,
    period: dividend.period,
    year: dividend.year,
    notes: syntheticNote,
    updated: lastKnown(world.now, entered, announced, written),
  };
}
