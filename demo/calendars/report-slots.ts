// Spreads report days over the year. Fiscal quarters end in one of three cycles of months; in each cycle, three
// companies report on every trading day of the month that is theirs, so that no trading day is without reports. All
// other companies report in the season that follows the end of a calendar quarter, which is therefore the busy one.
import type { CompanyRow } from "../companies/companies.ts";

export type ReportSlot = {
  /** Trading days from the end of a fiscal quarter to its report. */
  readonly tradingDays: number;
  /** 0 to 2 among the companies of this day. The first two pay quarterly dividends and give guidance with each report. */
  readonly place: number;
};

const companiesPerDay = 3;
const payersPerDay = 2;
const firstDay = 8;
// A month has at most 23 trading days, so the slots of one cycle reach to those of the next.
const days = 23;

/** Slots by ticker; a company without one reports in season. */
export function reportSlots(rows: readonly CompanyRow[]): ReadonlyMap<string, ReportSlot> {
  const slots = new Map<string, ReportSlot>();
  for (const cycle of Map.groupBy(rows, ([, , , , yearEnd]) => yearEnd % 3).values()) {
    // The small ones fill the calendar; the large ones make the season. Banks report first of all.
    const small = cycle.filter(([, , , sector, yearEnd]) => sector !== "Banks" || yearEnd % 3 !== 0);
    small.sort((a, b) => a[7] - b[7]);
    const payers = small.filter(([, , , , , , , , perYear]) => perYear === 4).slice(0, payersPerDay * days);
    const others = small.filter((row) => !payers.includes(row)).slice(0, (companiesPerDay - payersPerDay) * days);
    for (const [index, [ticker]] of [...payers, ...others].entries()) {
      slots.set(ticker, { tradingDays: firstDay + (index % days), place: Math.floor(index / days) });
    }
  }
  return slots;
}
