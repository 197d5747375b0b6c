// Channels of the demo with their ids, and which of them an item has in addition to those of its story.
import type { Draw } from "../draw.ts";
import type { Instrument, Piece } from "./piece.ts";

const names = [
  ["News", "Analyst Ratings", "Price Target", "Earnings", "Trading Ideas", "Markets", "Guidance", "Options", "General"],
  [
    "Movers",
    "Reiteration",
    "Tech",
    "Short Sellers",
    "Initiation",
    "Downgrades",
    "Upgrades",
    "Dividends",
    "Top Stories",
  ],
  ["Earnings Beats", "Equities", "Biotech", "M&A", "Health Care", "Contracts", "FDA", "Earnings Misses", "Large Cap"],
  ["Rumors", "Legal", "Buybacks", "Offerings", "Cryptocurrency", "After-Hours Center", "Politics", "Small Cap"],
  ["Pre-Market Outlook", "Insider Trades", "Commodities", "IPOs", "Economics", "Econ #s", "Federal Reserve", "ETFs"],
  ["Bonds", "Futures", "Forex", "Press Releases", "WIIM"],
].flat();

const ids = new Map(names.map((name, place) => [name, 101 + place * 7]));

/** A channel as it is imported. Every name used in the demo is in the list. */
export function channel(name: string): { name: string; id: number } {
  const id = ids.get(name);
  if (id === undefined) throw new Error(`no such channel in the demo: ${name}`);
  return { name, id };
}

const sectorChannels: Record<string, string> = {
  Tech: "Tech",
  Software: "Tech",
  Internet: "Tech",
  Semiconductors: "Tech",
  "Health Care": "Health Care",
  Biotech: "Biotech",
  Energy: "Commodities",
  ETF: "ETFs",
  Coin: "Cryptocurrency",
};

const anywhere = [
  "News",
  "Markets",
  "Trading Ideas",
  "General",
  "Equities",
  "Movers",
  "Top Stories",
  "Large Cap",
  "Tech",
];
const seldom = [
  "Options",
  "Futures",
  "Press Releases",
  "Small Cap",
  "ETFs",
  "Short Sellers",
  "WIIM",
  "Rumors",
  "Forex",
];

/** One to fifteen channels, three for the middle item. */
export function channelsOf(piece: Piece, draw: Draw): string[] {
  const chosen = new Set(piece.channels);
  if (draw.chance(0.12)) return [piece.channels[0] as string];
  const about: Instrument | undefined = piece.instruments[0];
  const own = about && sectorChannels[about.sector];
  if (own && draw.chance(0.35)) chosen.add(own);
  const luck = draw.unit();
  const more = luck < 0.52 ? 0 : luck < 0.77 ? 1 : luck < 0.89 ? 2 : luck < 0.97 ? draw.int(3, 5) : draw.int(6, 12);
  for (const name of draw.some(more > 5 ? [...anywhere, ...seldom] : anywhere, more)) chosen.add(name);
  return [...chosen].slice(0, 15);
}
