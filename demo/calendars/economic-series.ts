// The economic series of the demo: what is published where, how often, and on what scale. The values are invented.

type Cadence = "weekly" | "monthly" | "quarterly" | "meeting";

/** How a number is written: a percentage, a plain index, or a count in thousands, millions or billions. */
export type Unit = "%" | "" | "K" | "M" | "B";

export type SeriesRow = readonly [
  name: string,
  category: string,
  importance: 1 | 2 | 3,
  cadence: Cadence,
  /** Weekday (0 is Sunday) of a weekly release; day of the month for all others. */
  day: number,
  unit: Unit,
  places: number,
  middle: number,
  swing: number,
  /** New York clock, where the release has its own. */
  clock?: string,
];

type CountryRow = readonly [
  name: string,
  code: string,
  /** New York clock of its usual releases. */
  clock: string,
  inflation: number,
  unemployment: number,
  growth: number,
  tradeBillions: number,
  jobsThousands: number,
  /** Rate of its own central bank; members of the euro area have none. */
  rate: number | undefined,
];

export const countryRows: readonly CountryRow[] = [
  ["Euro Area", "EMU", "05:00", 2.4, 6.4, 0.3, 14, 120, 3.25],
  ["United Kingdom", "GBR", "02:00", 2.9, 4.4, 0.3, -4, 45, 4.75],
  ["Germany", "DEU", "02:00", 2.3, 3.4, 0.1, 19, 12, undefined],
  ["France", "FRA", "02:45", 2.0, 7.4, 0.2, -7, 15, undefined],
  ["Italy", "ITA", "04:00", 1.6, 6.3, 0.2, 5, 20, undefined],
  ["Spain", "ESP", "03:00", 2.6, 11.2, 0.6, -3, 30, undefined],
  ["Japan", "JPN", "18:50", 2.6, 2.5, 0.2, -0.4, 35, 0.5],
  ["China", "CHN", "19:30", 0.8, 5.1, 1.2, 85, 90, 3.25],
  ["Canada", "CAN", "08:30", 2.3, 6.4, 0.4, -1.2, 28, 3.75],
  ["Australia", "AUS", "19:30", 3.2, 4.1, 0.4, 5.5, 32, 4.25],
  ["Brazil", "BRA", "08:00", 4.5, 7.1, 0.7, 6.5, 150, 11.75],
  ["India", "IND", "06:30", 4.8, 7.6, 1.6, -23, 210, 6.5],
];

export const unitedStates: readonly SeriesRow[] = [
  ["Initial Jobless Claims", "Employment", 3, "weekly", 4, "K", 0, 228, 18, "08:30"],
  ["Continuing Jobless Claims", "Employment", 2, "weekly", 4, "K", 0, 1870, 60, "08:30"],
  ["MBA Mortgage Applications", "Housing", 1, "weekly", 3, "%", 1, 0.4, 5.5, "07:00"],
  ["Crude Oil Inventories", "Trade", 2, "weekly", 3, "M", 3, -0.6, 3.8, "10:30"],
  ["Gasoline Inventories", "Trade", 1, "weekly", 3, "M", 3, 0.2, 2.4, "10:30"],
  ["Natural Gas Storage", "Trade", 1, "weekly", 4, "B", 0, 22, 65, "10:30"],
  ["Redbook Same-Store Sales (YoY)", "Consumption", 1, "weekly", 2, "%", 1, 5.4, 1.1, "08:55"],
  ["Retail Gasoline Price", "Inflation", 1, "weekly", 1, "", 2, 3.2, 0.3, "16:30"],
  ["Grain Export Inspections", "Trade", 1, "weekly", 1, "M", 2, 2.3, 0.7, "11:00"],
  ["Weekly Economic Index", "Growth", 1, "weekly", 1, "%", 2, 2.3, 0.4, "11:30"],
  ["Weekly Payroll Estimate", "Employment", 1, "weekly", 2, "K", 0, 14, 9, "08:15"],
  ["Crude Oil Stock Estimate", "Trade", 1, "weekly", 2, "M", 3, -0.4, 3.6, "16:30"],
  ["Oil Rig Count", "Growth", 1, "weekly", 5, "", 0, 480, 25, "13:00"],
  ["Gas Rig Count", "Growth", 1, "weekly", 5, "", 0, 105, 12, "13:00"],
  ["Commercial Bank Loans (WoW)", "Growth", 1, "weekly", 5, "%", 1, 0.1, 0.3, "16:15"],
  ["Nonfarm Payrolls", "Employment", 3, "monthly", 5, "K", 0, 165, 85, "08:30"],
  ["Unemployment Rate", "Employment", 3, "monthly", 5, "%", 1, 4.1, 0.2, "08:30"],
  ["Average Hourly Earnings (MoM)", "Employment", 2, "monthly", 5, "%", 1, 0.3, 0.1, "08:30"],
  ["Average Hourly Earnings (YoY)", "Employment", 2, "monthly", 5, "%", 1, 3.9, 0.3, "08:30"],
  ["Participation Rate", "Employment", 1, "monthly", 5, "%", 1, 62.6, 0.2, "08:30"],
  ["ADP Employment Change", "Employment", 2, "monthly", 3, "K", 0, 140, 60, "08:15"],
  ["JOLTS Job Openings", "Employment", 2, "monthly", 4, "M", 3, 7.6, 0.4, "10:00"],
  ["CPI (MoM)", "Inflation", 3, "monthly", 12, "%", 1, 0.2, 0.2, "08:30"],
  ["CPI (YoY)", "Inflation", 3, "monthly", 12, "%", 1, 2.8, 0.4, "08:30"],
  ["Core CPI (MoM)", "Inflation", 3, "monthly", 12, "%", 1, 0.3, 0.1, "08:30"],
  ["Core CPI (YoY)", "Inflation", 3, "monthly", 12, "%", 1, 3.2, 0.3, "08:30"],
  ["PPI (MoM)", "Inflation", 2, "monthly", 13, "%", 1, 0.2, 0.3, "08:30"],
  ["PPI (YoY)", "Inflation", 1, "monthly", 13, "%", 1, 2.6, 0.6, "08:30"],
  ["Core PCE Price Index (MoM)", "Inflation", 3, "monthly", 27, "%", 1, 0.2, 0.1, "08:30"],
  ["Core PCE Price Index (YoY)", "Inflation", 3, "monthly", 27, "%", 1, 2.7, 0.2, "08:30"],
  ["Import Prices (MoM)", "Inflation", 1, "monthly", 16, "%", 1, 0.1, 0.4, "08:30"],
  ["Personal Income (MoM)", "Consumption", 2, "monthly", 27, "%", 1, 0.4, 0.2, "08:30"],
  ["Personal Spending (MoM)", "Consumption", 2, "monthly", 27, "%", 1, 0.4, 0.3, "08:30"],
  ["Retail Sales (MoM)", "Consumption", 3, "monthly", 15, "%", 1, 0.3, 0.6, "08:30"],
  ["Core Retail Sales (MoM)", "Consumption", 2, "monthly", 15, "%", 1, 0.3, 0.4, "08:30"],
  ["Consumer Credit", "Consumption", 1, "monthly", 7, "B", 2, 11, 7, "15:00"],
  ["Total Vehicle Sales", "Consumption", 1, "monthly", 2, "M", 1, 16, 0.6, "16:00"],
  ["Industrial Production (MoM)", "Growth", 2, "monthly", 16, "%", 1, 0.1, 0.5, "09:15"],
  ["Capacity Utilization Rate", "Growth", 1, "monthly", 16, "%", 1, 77.6, 0.6, "09:15"],
  ["ISM Manufacturing PMI", "Growth", 3, "monthly", 1, "", 1, 48.6, 1.6, "10:00"],
  ["ISM Services PMI", "Growth", 3, "monthly", 3, "", 1, 52.4, 2.2, "10:00"],
  ["Durable Goods Orders (MoM)", "Growth", 2, "monthly", 25, "%", 1, 0.3, 2.2, "08:30"],
  ["Factory Orders (MoM)", "Growth", 1, "monthly", 4, "%", 1, 0.2, 1.4, "10:00"],
  ["Wholesale Inventories (MoM)", "Growth", 1, "monthly", 9, "%", 1, 0.1, 0.3, "10:00"],
  ["Leading Index (MoM)", "Growth", 1, "monthly", 20, "%", 1, -0.2, 0.3, "10:00"],
  ["NY Empire State Manufacturing Index", "Growth", 1, "monthly", 15, "", 1, -2, 11, "08:30"],
  ["Philadelphia Fed Manufacturing Index", "Growth", 1, "monthly", 18, "", 1, 3, 11, "08:30"],
  ["Building Permits", "Housing", 2, "monthly", 18, "M", 3, 1.44, 0.06, "08:30"],
  ["Housing Starts", "Housing", 2, "monthly", 18, "M", 3, 1.35, 0.08, "08:30"],
  ["Existing Home Sales", "Housing", 2, "monthly", 21, "M", 2, 4.02, 0.16, "10:00"],
  ["New Home Sales", "Housing", 2, "monthly", 24, "K", 0, 690, 45, "10:00"],
  ["Pending Home Sales (MoM)", "Housing", 1, "monthly", 28, "%", 1, 0.2, 3.4, "10:00"],
  ["House Price Index (MoM)", "Housing", 1, "monthly", 26, "%", 1, 0.3, 0.3, "09:00"],
  ["NAHB Housing Market Index", "Housing", 1, "monthly", 17, "", 0, 42, 5, "10:00"],
  ["Trade Balance", "Trade", 2, "monthly", 6, "B", 1, -76, 9, "08:30"],
  ["CB Consumer Confidence", "Confidence", 3, "monthly", 28, "", 1, 101, 7, "10:00"],
  ["Michigan Consumer Sentiment", "Confidence", 2, "monthly", 13, "", 1, 69, 6, "10:00"],
  ["NFIB Small Business Optimism", "Confidence", 1, "monthly", 10, "", 1, 96, 5, "06:00"],
  ["GDP (QoQ)", "Growth", 3, "quarterly", 28, "%", 1, 2.4, 1.1, "08:30"],
  ["GDP Price Index (QoQ)", "Inflation", 2, "quarterly", 28, "%", 1, 2.5, 0.6, "08:30"],
  ["Employment Cost Index (QoQ)", "Employment", 2, "quarterly", 30, "%", 1, 0.9, 0.1, "08:30"],
  ["Current Account", "Trade", 1, "quarterly", 20, "B", 1, -270, 22, "08:30"],
  ["Fed Interest Rate Decision", "Central Banks", 3, "meeting", 18, "%", 2, 4.5, 0.7, "14:00"],
];

/** What every other country publishes. */
export function seriesOf([, , , inflation, unemployment, growth, trade, jobs, rate]: CountryRow): SeriesRow[] {
  const rows: SeriesRow[] = [
    ["CPI (MoM)", "Inflation", 2, "monthly", 14, "%", 1, inflation / 12, 0.3],
    ["CPI (YoY)", "Inflation", 3, "monthly", 14, "%", 1, inflation, 0.5],
    ["Core CPI (YoY)", "Inflation", 2, "monthly", 14, "%", 1, inflation + 0.2, 0.4],
    ["PPI (YoY)", "Inflation", 1, "monthly", 19, "%", 1, inflation - 1, 1.2],
    ["Unemployment Rate", "Employment", 2, "monthly", 11, "%", 1, unemployment, 0.25],
    ["Employment Change", "Employment", 2, "monthly", 11, "K", 1, jobs, jobs * 0.8],
    ["Retail Sales (MoM)", "Consumption", 2, "monthly", 20, "%", 1, 0.2, 0.8],
    ["Retail Sales (YoY)", "Consumption", 1, "monthly", 20, "%", 1, inflation * 0.8, 1.4],
    ["Industrial Production (MoM)", "Growth", 2, "monthly", 9, "%", 1, 0.1, 1.1],
    ["Manufacturing PMI", "Growth", 2, "monthly", 1, "", 1, 48.8, 2.4],
    ["Services PMI", "Growth", 2, "monthly", 3, "", 1, 51.9, 2.2],
    ["Trade Balance", "Trade", 2, "monthly", 7, "B", 1, trade, Math.abs(trade) * 0.3 + 0.5],
    ["Exports (MoM)", "Trade", 1, "monthly", 7, "%", 1, 0.3, 2.1],
    ["Consumer Confidence", "Confidence", 2, "monthly", 22, "", 1, -12, 5],
    ["Business Climate", "Confidence", 1, "monthly", 24, "", 1, 97, 4],
    ["House Price Index (YoY)", "Housing", 1, "monthly", 17, "%", 1, inflation, 1.8],
    ["Building Permits (MoM)", "Housing", 1, "monthly", 10, "%", 1, 0.2, 4.5],
    ["GDP (QoQ)", "Growth", 3, "quarterly", 30, "%", 1, growth, 0.3],
    ["GDP (YoY)", "Growth", 2, "quarterly", 30, "%", 1, growth * 4, 0.5],
  ];
  if (rate !== undefined) {
    rows.push(["Interest Rate Decision", "Central Banks", 3, "meeting", 12, "%", 2, rate, rate * 0.15 + 0.1]);
  }
  return rows;
}
