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

/** Splits names at underscores and capital letters. */
export function labelOf(name: string): string {
  const words = name
    .replace(/^parameters\[(.+)\]$/, "$1")
    .replace(/([a-z])([A-Z])/g, "$1_$2")
    .toLowerCase()
    .split("_");
  const text = words.map((word) => spelled[word] ?? word).join(" ");
  return text.charAt(0).toUpperCase() + text.slice(1);
}

export const plural = (count: number, one: string, many = `${one}s`): string =>
  `${count.toLocaleString("en-US")} ${count === 1 ? one : many}`;

const frequencies: Readonly<Record<number, string>> = { 1: "annual", 2: "semiannual", 4: "quarterly", 12: "monthly" };

/** Empty if unknown. */
export function frequencyText(timesAYear: unknown): string {
  const times = Number(timesAYear);
  return frequencies[times] ?? (times > 0 ? `${times}× a year` : "");
}
