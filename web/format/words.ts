// Labels: `eps_surprise_percent` becomes "EPS surprise %".

const spelled: Readonly<Record<string, string>> = {
  eps: "EPS",
  pt: "PT",
  id: "ID",
  isin: "ISIN",
  isins: "ISINs",
  cusip: "CUSIP",
  cusips: "CUSIPs",
  url: "URL",
  est: "est.",
  num: "number",
  percent: "%",
  pct: "%",
  t: "text",
};

/** Names that their words don't explain. */
const phrases: Readonly<Record<string, string>> = {
  action_company: "Action",
  action_pt: "Target action",
  adjusted_pt_current: "Adjusted target",
  adjusted_pt_prior: "Adjusted prior target",
  compat: "Compatibility mode",
  date_confirmed: "Date confirmed",
  delay_minutes: "Delay in minutes",
  dividend_yield_operation: "Yield comparison",
  eps_guidance_max: "EPS guidance, high",
  eps_guidance_min: "EPS guidance, low",
  eps_guidance_prior_max: "Prior EPS guidance, high",
  eps_guidance_prior_min: "Prior EPS guidance, low",
  eps_prior: "Year-ago EPS",
  is_primary: "Primary guidance",
  prelim: "Preliminary",
  revenue_guidance_max: "Revenue guidance, high",
  revenue_guidance_min: "Revenue guidance, low",
  revenue_guidance_prior_max: "Prior revenue guidance, high",
  revenue_guidance_prior_min: "Prior revenue guidance, low",
  eps_surprise_percent: "EPS surprise %",
  revenue_surprise_percent: "Revenue surprise %",
  event_category: "Category",
  ex_dividend_date: "Ex-date",
  ex_dividend_date_from: "Ex-date from",
  ex_dividend_date_to: "Ex-date to",
  event_name: "Release",
  event_period: "Period",
  name: "Company",
  period_year: "Fiscal year",
  pt_current: "Target",
  pt_pct_change: "Target change, %",
  pt_prior: "Prior target",
  rating_current: "Rating",
  rating_prior: "Prior rating",
  revenue_prior: "Year-ago revenue",
  url: "Link",
  url_calendar: "Calendar page",
  url_news: "News item",
};

export const phraseOf = (name: string): string | undefined => phrases[name];

/** Splits names at underscores and capital letters. */
export function labelOf(name: string): string {
  const plain = name.replace(/^parameters\[(.+)\]$/, "$1");
  const phrase = phrases[plain];
  if (phrase !== undefined) return phrase;
  const words = plain
    .replace(/([a-z])([A-Z])/g, "$1_$2")
    .toLowerCase()
    .split("_");
  const text = words.map((word) => spelled[word] ?? word).join(" ");
  return capitalized(text);
}

export const capitalized = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

export const plural = (count: number, one: string, many = `${one}s`): string =>
  `${count.toLocaleString("en-US")} ${count === 1 ? one : many}`;

/** Words of parameters that don't explain themselves. */
const wordTexts: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  is_primary: { Y: "Primary only", N: "Secondary only", All: "Both" },
};

export const wordText = (parameter: string, word: string): string => wordTexts[parameter]?.[word] ?? word;

const frequencies: Readonly<Record<number, string>> = { 1: "annual", 2: "semiannual", 4: "quarterly", 12: "monthly" };

/** Empty if unknown. */
export function frequencyText(timesAYear: unknown): string {
  const times = Number(timesAYear);
  return frequencies[times] ?? (times > 0 ? `${times}× a year` : "");
}
