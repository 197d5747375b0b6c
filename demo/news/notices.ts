// Notices of single companies: contracts, products, buybacks, small purchases. Counterparties and compounds are
// invented.
import type { Draw } from "../draw.ts";
import { type Desk, escapeHtml, type Instrument, link, type Piece, paragraph, weightOf } from "./piece.ts";
import { regionsOf } from "./regions.ts";

const partners = [
  "Larkfield Instruments",
  "Copperbeck Systems",
  "Tallow Reach Logistics",
  "Windle & Grey",
  "Marrowby Foods",
  "Stonecrop Robotics",
  "Pinebarrow Energy",
  "Aster Quay Software",
  "Hartsmere Clinics",
  "Rookwood Tools",
];
const places = ["Ohio", "Texas", "Arizona", "Georgia", "Ontario", "Ireland", "Singapore", "Bavaria"];
const goods = [
  "service",
  "product line",
  "mobile app",
  "subscription plan",
  "data platform",
  "loyalty program",
  "store format",
];

type Template = readonly [title: (name: string, draw: Draw) => string, ...channels: string[]];

const money = (draw: Draw, low: number, high: number) => `$${draw.int(low, high) * 5}M`;

const templates: readonly Template[] = [
  [(name, draw) => `${name} Awarded ${money(draw, 4, 180)} Contract By ${draw.pick(partners)}`, "Contracts", "News"],
  [(name, draw) => `${name} Announces ${money(draw, 40, 1900)} Share Repurchase Program`, "Buybacks", "News"],
  [
    (name, draw) => `${name} To Acquire Privately Held ${draw.pick(partners)} For ${money(draw, 6, 240)}`,
    "M&A",
    "News",
  ],
  [
    (name, draw) => `${name} And ${draw.pick(partners)} Announce Multi-Year Partnership`,
    "News",
    "General",
    "Press Releases",
  ],
  [(name, draw) => `${name} Unveils New ${titled(draw.pick(goods))}`, "News", "General"],
  [(name, draw) => `${name} To Open New Site In ${draw.pick(places)}`, "News", "General", "Press Releases"],
  [(name, draw) => `${name} Prices ${money(draw, 40, 600)} Senior Notes Offering`, "Offerings", "Bonds", "News"],
  [
    (name, draw) =>
      `${name} Short Interest ${draw.pick(["Rises", "Falls"])} ${draw.between(1, 18).toFixed(2)}% Since Last Report`,
    "Short Sellers",
    "Markets",
  ],
  [(name, draw) => `${name} Director Buys ${draw.int(10, 400) * 100} Shares, Filing Shows`, "Insider Trades", "News"],
  [
    (name, draw) =>
      `If You Invested $1,000 In ${name} Stock ${draw.pick([5, 10, 15, 20])} Years Ago, You Would Have This Much Today`,
    "News",
    "Trading Ideas",
    "Markets",
  ],
  [
    (name, draw) => `A Look At ${name}'s Valuation Against Its ${draw.pick(["Sector", "Peers", "History"])}`,
    "News",
    "Markets",
    "Trading Ideas",
  ],
  [(name) => `${name} Added To Demo 100 Index`, "News", "ETFs"],
];

// Some templates read like articles and usually have a text; the others are wire headlines.
const articles = new Set([3, 4, 7, 9, 10]);

export function titled(text: string): string {
  return text.replace(/\b[a-z]/g, (letter) => letter.toUpperCase());
}

export function companyNotice(draw: Draw, desk: Desk): Piece {
  const company = draw.pick(desk.companies);
  const number = draw.int(0, templates.length - 1);
  const [title, ...channels] = templates[number] as Template;
  const headline = title(company.name, draw);
  const hasBody = draw.chance(articles.has(number) ? 0.6 : 0.15);
  const peers = desk.companies.filter((other) => other.sector === company.sector && other !== company);
  const others: Instrument[] = hasBody ? draw.some(peers, draw.int(0, 3)) : draw.chance(0.2) ? draw.some(peers, 1) : [];
  return {
    title: headline,
    teaser: hasBody ? `${escapeHtml(headline)}.` : "",
    blocks: hasBody
      ? [
          paragraph(`${link(company)}: ${escapeHtml(headline)}.`),
          paragraph(
            `The company&#39;s ${escapeHtml(company.sector.toLowerCase())} business is one of the larger ones in its field.`,
            `Its shares were last seen ${draw.pick(["up", "down"])} ${draw.between(0.1, 2.5).toFixed(2)}%.`,
          ),
          ...(others.length > 0 ? [paragraph(`Related: ${others.map(link).join("; ")}`)] : []),
          `<div class="more">Read next:&nbsp;<a href="https://news.example.com/demo/more">Software &amp; Apps</a></div>`,
        ]
      : [],
    channels,
    instruments: [company, ...others],
    primaries: 1,
    tags: [company.sector, channels[0] as string, ...(channels[0] === "M&A" ? ["Merger"] : [])],
    importance: weightOf(company.importance - 1),
    regions: regionsOf(company.ticker),
    contentType: channels.includes("Press Releases") ? "press release" : hasBody ? "story" : "headline",
  };
}

export function healthNotice(draw: Draw, desk: Desk): Piece {
  const company = draw.pick(desk.companies.filter(({ sector }) => sector === "Biotech" || sector === "Health Care"));
  const compound = `BW-${draw.int(100, 999)}`;
  const step = draw.pick(["Begins Phase 2 Study Of", "Completes Enrollment In Phase 3 Study Of", "To Present Data On"]);
  const hasBody = draw.chance(0.3);
  return {
    title: `${company.name} ${step} Demo Compound ${compound}`,
    teaser: "",
    blocks: hasBody
      ? [
          paragraph(`${link(company)} gave an update on <strong>${compound}</strong>, a compound that does not exist.`),
          paragraph("The company&#39;s next update is expected within a year."),
        ]
      : [],
    channels: ["Biotech", "Health Care", draw.chance(0.4) ? "FDA" : "News"],
    instruments: [company],
    primaries: 1,
    tags: [compound, "Clinical Trials"],
    importance: "low",
    regions: regionsOf(company.ticker),
    contentType: hasBody ? "story" : "headline",
  };
}
