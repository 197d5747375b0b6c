// News unrelated to calendars: market reports, movers, company notices, coins, funds. Fictional news about real
// companies stays harmless.
import type { Opinion } from "../companies/coverage.ts";
import { clockAt, isTradingDay, weekday } from "../days.ts";
import type { Draw } from "../draw.ts";
import { companyNotice, healthNotice, titled } from "./notices.ts";
import {
  bullets,
  type Desk,
  type Draft,
  escapeHtml,
  type Instrument,
  link,
  type Piece,
  paragraph,
  table,
} from "./piece.ts";
import { regionsOf } from "./regions.ts";

type Maker = (draw: Draw, desk: Desk) => Piece;

const causes = [
  "a busy day for the whole sector",
  "heavier trading than usual",
  "remarks made at an industry conference",
  "a shift in investors&#39; appetite for risk",
  "lower bond yields",
  "higher bond yields",
  "moves in oil &amp; gas prices",
  "a quiet session with few buyers",
];
const moods = ["Higher", "Lower", "Mixed", "Little Changed", "Sharply Higher", "Slightly Lower"];
const subjects = [
  "inflation",
  "interest rates",
  "earnings season",
  "the jobs market",
  "oil",
  "chip demand",
  "retail sales",
];

function percent(draw: Draw, low: number, high: number): string {
  return `${draw.between(low, high).toFixed(2)}%`;
}

function moveList(draw: Draw, instruments: readonly Instrument[]): string[] {
  return instruments.map((instrument) => {
    const direction = draw.chance(0.55) ? "gained" : "fell";
    return `${link(instrument)} ${direction} ${percent(draw, 1, 14)}, amid ${draw.pick(causes)}.`;
  });
}

/** A story about the market as a whole. */
function marketStory(words: string, channels: readonly string[], most: number): Maker {
  return (draw, desk) => {
    const mood = draw.pick(moods);
    const subject = draw.pick(subjects);
    const funds = draw.some(desk.funds.slice(0, 4), draw.int(1, 3));
    const named = draw.some(desk.companies, draw.int(1, most));
    return {
      title: `${words}: Stocks ${mood} As Investors Weigh ${titled(subject)}`,
      teaser: `Stocks were ${mood.toLowerCase()} as investors weighed ${subject}.`,
      blocks: [
        paragraph(
          `U.S. stocks were ${mood.toLowerCase()} as investors weighed ${subject}.`,
          `${funds.map(link).join(" and ")} set the tone.`,
        ),
        "<h2>Movers</h2>",
        bullets(moveList(draw, named)),
        paragraph(
          `The yield of the ten-year note stood near ${percent(draw, 3.6, 4.7)}.`,
          "Oil &amp; gold were steady.<br />Bitcoin was, too.",
        ),
      ],
      channels,
      instruments: [...funds, ...named],
      primaries: funds.length,
      tags: [subject, "Market Summary"],
      importance: "medium",
      regions: ["US"],
      contentType: "story",
    };
  };
}

function moversList(words: string, channels: readonly string[]): Maker {
  return (draw, desk) => {
    const named = draw.some(desk.companies, draw.int(8, 14));
    return {
      title: `${named.length} ${words}`,
      teaser: "",
      blocks: [
        "<h3>Gainers &amp; losers</h3>",
        bullets(moveList(draw, named)),
        paragraph("Figures are as of the time of writing&nbsp;&ndash; and invented."),
      ],
      channels,
      instruments: named,
      primaries: 0,
      tags: ["Movers"],
      importance: "low",
      regions: ["US"],
      contentType: "story",
    };
  };
}

const mover: Maker = (draw, desk) => {
  const company = draw.pick(desk.companies);
  const higher = draw.chance(0.55);
  const hasBody = draw.chance(0.35);
  const direction = higher ? "Higher" : "Lower";
  return {
    title: `${company.name} Shares Are Trading ${direction} By ${percent(draw, 2, 11)}${hasBody ? "; Here's Why" : ""}`,
    teaser: hasBody ? `${escapeHtml(company.name)} is trading ${direction.toLowerCase()}. Here&#39;s why.` : "",
    blocks: hasBody
      ? [
          paragraph(
            `${link(company)} shares are trading <em>${direction.toLowerCase()}</em> amid ${draw.pick(causes)}.`,
          ),
          paragraph(`The stock&#39;s volume was ${draw.between(1.1, 4).toFixed(1)} times its average.`),
        ]
      : [],
    channels: ["Movers", "WIIM", "Trading Ideas"],
    instruments: [company],
    primaries: 1,
    tags: ["Why It's Moving"],
    importance: "low",
    regions: regionsOf(company.ticker),
    contentType: hasBody ? "story" : "headline",
  };
};

const optionsStory: Maker = (draw, desk) => {
  const named = draw.some(desk.companies, draw.int(4, 9));
  const rows = named.map((company) => {
    const call = draw.chance(0.6);
    return [
      company.ticker,
      call ? "Call" : "Put",
      String(draw.int(5, 90) * 5),
      `${draw.int(1, 40)}.${draw.int(0, 9)}K`,
    ];
  });
  return {
    title: `Unusual Options Activity: ${named
      .slice(0, 3)
      .map((company) => company.name)
      .join(", ")} And Others`,
    teaser: "Large trades in the options market today.",
    blocks: [
      paragraph("Large options trades can show how some investors see the days ahead."),
      table(["Ticker", "Side", "Strike", "Volume"], rows),
      paragraph(`${link(named[0] as Instrument)} led the list.`),
    ],
    channels: ["Options", "Markets"],
    instruments: named,
    primaries: 1,
    tags: ["Unusual Options", "Options Activity"],
    importance: "low",
    regions: ["US"],
    contentType: "story",
  };
};

const coinStory: Maker = (draw, desk) => {
  const coins = draw.some(desk.coins, draw.int(1, 3));
  const coin = coins[0] as Instrument;
  const hasBody = draw.chance(0.4);
  const verb = draw.pick(["Rises", "Slips", "Steadies", "Climbs", "Retreats"]);
  return {
    title: `${coin.name} ${verb} ${verb === "Steadies" ? "After Busy Week" : percent(draw, 0.5, 7)} As Traders Eye ${draw.pick(["Fund Flows", "Rates", "Liquidity", "Volumes"])}`,
    teaser: hasBody ? `${coin.name} in the last 24 hours.` : "",
    blocks: hasBody
      ? [
          paragraph(`${coins.map(link).join(", ")} were in focus in the last 24 hours.`),
          paragraph(
            `Trading volume changed by ${percent(draw, 2, 40)}.`,
            `Some <a href="https://news.example.com/demo/crypto">crypto</a> funds saw inflows.`,
          ),
        ]
      : [],
    channels: ["Cryptocurrency", "Markets"],
    instruments: coins,
    primaries: 1,
    tags: coins.map((each) => each.name),
    importance: "low",
    regions: [],
    contentType: hasBody ? "story" : "headline",
  };
};

const macroThemes = [
  ["Gold", "Commodities", "GLD"],
  ["Crude Oil", "Commodities", "USO"],
  ["Treasury Yields", "Bonds", "TLT"],
  ["The Dollar", "Forex", ""],
  ["Stock Futures", "Futures", "SPY"],
  ["Small Caps", "ETFs", "IWM"],
  ["Rate Expectations", "Federal Reserve", ""],
  ["Budget Talks", "Politics", ""],
] as const;

const macroStory: Maker = (draw, desk) => {
  const [subject, channel, ticker] = draw.pick(macroThemes);
  const fund = desk.funds.filter((instrument) => instrument.ticker === ticker);
  const hasBody = draw.chance(0.35);
  return {
    title: `${subject} In Focus: ${draw.pick(["A Quiet Morning", "Traders Look Ahead", "Three Things To Know", "What Changed Today"])}`,
    teaser: hasBody ? `A short look at ${subject.toLowerCase()}.` : "",
    blocks: hasBody
      ? [
          paragraph(`${subject} drew attention amid ${draw.pick(causes)}.`),
          bullets(draw.some(subjects, 3).map((word) => `What it means for ${word}.`)),
        ]
      : [],
    channels: [channel, "Markets", "General"],
    instruments: fund,
    primaries: fund.length,
    tags: [subject],
    importance: draw.chance(0.2) ? "high" : "medium",
    regions: draw.chance(0.8) ? ["US"] : ["US", "Europe"],
    contentType: hasBody ? "story" : "headline",
  };
};

function weekAhead(draw: Draw, desk: Desk): Piece {
  const piece = marketStory("The Week Ahead", ["Markets", "Top Stories", "Economics"], 5)(draw, desk);
  return { ...piece, importance: "high" };
}

/** The day's changes of rating in one list; its figures are those of the opinions. */
function ratingsList(changes: readonly Opinion[]): Maker {
  return () => ({
    title: `Analyst Ratings Of The Day: ${changes.length} Upgrades And Downgrades`,
    teaser: "Upgrades and downgrades of the day.",
    blocks: [
      bullets(
        changes.map(
          ({ firm, action, company, rating }) =>
            `${escapeHtml(firm.name)} ${action.toLowerCase()} ${link(company)} to ${rating}.`,
        ),
      ),
    ],
    channels: ["Analyst Ratings", "Upgrades", "Downgrades", "News"],
    instruments: [...new Set(changes.map(({ company }) => company))],
    primaries: 0,
    tags: ["Analyst Ratings"],
    importance: "medium",
    regions: ["US"],
    contentType: "story",
  });
}

/** Most of the desk's work is done before noon and around the close. */
function deskClock(draw: Draw): number {
  const hours = [
    4, 5, 6, 6, 7, 7, 7, 8, 8, 8, 8, 9, 9, 9, 9, 10, 10, 10, 11, 11, 12, 13, 14, 14, 15, 15, 16, 16, 16, 17, 18, 20, 22,
  ];
  return clockAt(draw.pick(hours), draw.int(0, 59), draw.int(0, 59));
}

/** Everything the desk writes on one day. */
export function* deskDrafts(day: number, desk: Desk, changes: readonly Opinion[]): Generator<Draft> {
  const root = desk.draw.at("desk day", day);
  let place = 0;
  const draft = (maker: Maker, clock?: number): Draft => {
    const draw = root.at("draft", place++);
    return { day, clock: clock ?? deskClock(draw.at("clock")), draw, write: () => maker(draw.at("text"), desk) };
  };
  const counts = root.at("counts");
  const at = (hour: number, minute: number) => clockAt(hour, minute + counts.int(0, 12), counts.int(0, 59));
  if (!isTradingDay(day)) {
    for (let i = counts.int(1, 2); i > 0; i--) yield draft(coinStory);
    for (let i = counts.int(0, 2); i > 0; i--) yield draft(macroStory);
    if (weekday(day) === 0) yield draft(weekAhead, at(14, 0));
    if (counts.chance(0.4)) yield draft(companyNotice);
    return;
  }
  yield draft(marketStory("Pre-Market Outlook", ["Pre-Market Outlook", "Futures", "Markets"], 3), at(7, 30));
  yield draft(moversList("Stocks Moving In Today's Midday Session", ["Movers", "Markets"]), at(12, 0));
  yield draft(marketStory("Closing Bell", ["Markets", "Top Stories", "News"], 4), at(16, 5));
  if (counts.chance(0.7))
    yield draft(moversList("Stocks Moving In After-Hours Trading", ["After-Hours Center", "Movers"]), at(17, 30));
  if (changes.length >= 3) yield draft(ratingsList(changes.slice(0, 10)), at(14, 10));
  if (counts.chance(0.8)) yield draft(optionsStory, at(11, 20));
  for (let i = counts.int(2, 4); i > 0; i--) yield draft(mover);
  for (let i = counts.int(4, 7); i > 0; i--) yield draft(companyNotice);
  for (let i = counts.int(1, 2); i > 0; i--) yield draft(coinStory);
  for (let i = counts.int(1, 2); i > 0; i--) yield draft(macroStory);
  if (counts.chance(0.4)) yield draft(healthNotice);
}
