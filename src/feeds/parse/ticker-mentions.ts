// Ticker mentions in a text: $AAPL, NYSE:BRK.B, (NASDAQ: GOOG, GOOGL). Plain words are never taken for tickers.

export type TickerMention = { readonly symbol: string; readonly exchange?: string };

/** Exchange names in texts → stored names. */
const exchanges: Readonly<Record<string, string>> = {
  nasdaq: "NASDAQ",
  nasdaqgs: "NASDAQ",
  nasdaqgm: "NASDAQ",
  nasdaqcm: "NASDAQ",
  nyse: "NYSE",
  "nyse american": "AMEX",
  nyseamerican: "AMEX",
  "nyse mkt": "AMEX",
  "nyse arca": "ARCA",
  nysearca: "ARCA",
  arca: "ARCA",
  amex: "AMEX",
  otc: "OTC",
  otcqb: "OTC",
  otcqx: "OTC",
  otcmkts: "OTC",
  "otc pink": "OTC",
  otcpink: "OTC",
  tsx: "TSX",
  "tsx-v": "TSXV",
  tsxv: "TSXV",
  cse: "CSE",
  lse: "LSE",
};

/** A text with more is a table, not a story. */
const maxMentions = 50;

const symbol = "[A-Z][A-Z0-9]{0,9}(?:[./-][A-Z0-9]{1,4})?";
const edge = "(?![A-Za-z0-9])";
const names = Object.keys(exchanges)
  .sort((a, b) => b.length - a.length)
  .map((name) =>
    [...name].map((letter) => (/[a-z]/.test(letter) ? `[${letter}${letter.toUpperCase()}]` : letter)).join(""),
  )
  .join("|");

const cashtag = new RegExp(`(?<![\\p{L}\\p{N}$])\\$(${symbol})${edge}`, "gu");
// More symbols may follow, separated by commas, slashes, or "and", up to the end of the parenthesis.
const listed = new RegExp(
  `(?<![\\p{L}\\p{N}])(${names})[®™]?\\s{0,3}:\\s{0,3}(${symbol})${edge}((?:(?:,\\s{0,3}|\\s{1,3}and\\s{1,3}|\\s{0,3}/\\s{0,3})${symbol}${edge}(?!\\s{0,3}:))*)(?=(\\s{0,3}[);])?)`,
  "gu",
);

/** Every mention, each symbol once, in order of appearance. */
export function tickerMentions(text: string): TickerMention[] {
  const found: (TickerMention & { at: number })[] = [];
  for (const { index, 1: name = "" } of text.matchAll(cashtag)) found.push({ at: index, symbol: name });
  for (const { index, 1: place = "", 2: first = "", 3: more = "", 4: closed } of text.matchAll(listed)) {
    const exchange = exchanges[place.toLowerCase()] ?? place;
    const others = closed === undefined ? [] : (more.match(new RegExp(symbol, "g")) ?? []);
    for (const each of [first, ...others]) found.push({ at: index, symbol: each, exchange });
  }
  const marks = new Map<string, TickerMention>();
  for (const { symbol: name, exchange } of found.toSorted((a, b) => a.at - b.at)) {
    const known = marks.get(name)?.exchange ?? exchange;
    marks.set(name, known === undefined ? { symbol: name } : { symbol: name, exchange: known });
    if (marks.size >= maxMentions) break;
  }
  return [...marks.values()];
}
