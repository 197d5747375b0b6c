// Earnings records and the conference calls that follow the reports.
import { fixed, fractionText, revenueText } from "../amounts.ts";
import type { Quarter } from "../companies/company.ts";
import { calendarId } from "../companies/identifiers.ts";
import { clockAt, clockText, dayText, newYorkSeconds, tradingDaysLater } from "../days.ts";
import { type DemoRecord, type LazyRecord, lastKnown, syntheticNote, type World } from "../world.ts";

/** When the day was entered in the calendar, when the company confirmed it, and when it reported. */
function momentsOf(quarter: Quarter): { entered: number; confirmed: number; reported: number } {
  const draw = quarter.company.draw.at("moments", quarter.index);
  // Entered more than a quarter ahead: every report inside the calendar is already in it.
  const entered = newYorkSeconds(quarter.reportDay - draw.int(100, 118), clockAt(draw.int(8, 18), draw.int(0, 59)));
  const confirmed = newYorkSeconds(quarter.reportDay - draw.int(14, 28), clockAt(draw.int(8, 18), draw.int(0, 59)));
  return { entered, confirmed, reported: newYorkSeconds(quarter.reportDay, quarter.reportClock) };
}

export function* earningsRecords(world: World): Generator<LazyRecord> {
  for (const company of world.companies) {
    for (const quarter of company.quartersAround(world.fromDay, world.toDay)) {
      if (quarter.reportDay >= world.fromDay && quarter.reportDay <= world.toDay)
        yield () => earningsRecord(quarter, world);
    }
  }
}

function earningsRecord(quarter: Quarter, world: World): DemoRecord {
  const { company, followed } = quarter;
  const draw = company.draw.at("earnings", quarter.index);
  const { entered, confirmed, reported } = momentsOf(quarter);
  const known = reported <= world.now;
  const surprise = known && followed;
  const epsGap = quarter.eps - quarter.epsExpected;
  const revenueGap = quarter.revenue - quarter.revenueExpected;
  const written = reported + draw.int(15, 240);
  const corrected = draw.chance(1 / 15) ? written + draw.int(900, 9000) : written;
  return {
    id: calendarId(entered, draw),
    date: dayText(quarter.reportDay),
    time: quarter.session,
    ticker: company.ticker,
    name: company.name,
    exchange: company.exchange,
    currency: company.currency,
    cusip: company.cusip,
    isin: company.isin,
    importance: company.importance,
    period: quarter.period,
    period_year: quarter.year,
    date_confirmed: known || confirmed <= world.now ? 1 : 0,
    eps: known ? fixed(quarter.eps, 2, 3) : "",
    eps_est: followed ? fixed(quarter.epsExpected, 2, 3) : "",
    eps_prior: fixed(quarter.epsYearAgo, 2, 3),
    eps_surprise: surprise ? fixed(epsGap, 2, 4) : "",
    eps_surprise_percent: surprise ? fractionText(epsGap, quarter.epsExpected) : "",
    eps_type: known ? company.epsType : "",
    revenue: known ? revenueText(quarter.revenue) : "",
    revenue_est: followed ? revenueText(quarter.revenueExpected) : "",
    revenue_prior: revenueText(quarter.revenueYearAgo),
    revenue_surprise: surprise ? fixed(revenueGap * 1000, 0, 4) : "",
    revenue_surprise_percent: surprise ? fractionText(revenueGap, quarter.revenueExpected) : "",
    revenue_type: known ? (company.epsType === "FFO" ? "GAAP" : company.epsType) : "",
    notes: syntheticNote,
    updated: lastKnown(world.now, entered, confirmed, reported, written, corrected),
  };
}

/** The call about a quarter: soon after the report, or on the next morning after a late one. */
export function callOf(quarter: Quarter): { day: number; clock: number } {
  const draw = quarter.company.draw.at("call", quarter.index);
  if (quarter.session === "bmo") return { day: quarter.reportDay, clock: clockAt(draw.int(8, 10), draw.pick([0, 30])) };
  if (quarter.session === "dmh") return { day: quarter.reportDay, clock: clockAt(16, draw.pick([0, 30])) };
  if (quarter.company.slot === undefined && quarter.company.draw.at("call habit").chance(0.2)) {
    return { day: tradingDaysLater(quarter.reportDay, 1), clock: clockAt(8, draw.pick([0, 30])) };
  }
  return {
    day: quarter.reportDay,
    clock: draw.pick([clockAt(16, 45), clockAt(17, 0), clockAt(17, 0), clockAt(17, 30)]),
  };
}

export function* conferenceCallRecords(world: World): Generator<LazyRecord> {
  for (const company of world.companies) {
    for (const quarter of company.quartersAround(world.fromDay, world.toDay)) {
      const { day, clock } = callOf(quarter);
      if (day >= world.fromDay && day <= world.toDay) yield () => callRecord(quarter, day, clock, world);
    }
  }
}

function callRecord(quarter: Quarter, day: number, clock: number, world: World): DemoRecord {
  const { company } = quarter;
  const draw = company.draw.at("call record", quarter.index);
  const { entered, confirmed } = momentsOf(quarter);
  const written = entered + draw.int(60, 900);
  const announced = confirmed + draw.int(30, 600);
  const known = announced <= world.now;
  const byPhone = known && draw.chance(0.72);
  const line = () => `555-01${draw.int(0, 99).toString().padStart(2, "0")}`;
  const phone = `1-${draw.pick(["800", "833", "844", "855", "866", "877", "888"])}-${line()}`;
  const abroad = `+1-${draw.pick(["212", "312", "404", "415", "646"])}-${line()}`;
  const slug = `${company.ticker.toLowerCase().replace(".", "-")}-${quarter.period.toLowerCase()}-${quarter.year}`;
  return {
    id: calendarId(written, draw),
    date: dayText(day),
    time: clockText(clock),
    start_time: clockText(clock),
    ticker: company.ticker,
    name: company.name,
    exchange: company.exchange,
    cusip: company.cusip,
    isin: company.isin,
    importance: company.importance,
    period: quarter.period,
    period_year: quarter.year,
    confirmed: known,
    phone_num: byPhone ? phone : "",
    international_num: byPhone && draw.chance(0.7) ? abroad : "",
    access_code: byPhone ? String(draw.int(1_000_000, 9_999_999)) : "",
    reservation_num: byPhone && draw.chance(0.25) ? String(draw.int(10_000_000, 99_999_999)) : "",
    webcast_url: known ? `https://webcast.example.com/demo/${slug}` : "",
    notes: syntheticNote,
    updated: lastKnown(world.now, written, announced),
  };
}
