// The content of a news item before it gets its ID and final form, and helpers for HTML bodies.
import type { Company } from "../companies/company.ts";
import type { Draw } from "../draw.ts";
import { regionsOf } from "./regions.ts";

export const site = "https://news.example.com/demo";

/** A company, fund or coin an item is about. */
export type Instrument = {
  readonly ticker: string;
  readonly name: string;
  readonly exchange: string;
  readonly sector: string;
  readonly cusip: string;
  readonly isin: string;
};

type Weight = "low" | "medium" | "high";

export type Piece = {
  /** Plain text. */
  title: string;
  /** HTML, as the body; may be empty. */
  teaser: string;
  /** Block elements of the body; none for a mere headline. */
  blocks: readonly string[];
  channels: readonly string[];
  /** What it is about first; those after `primaries` are only mentioned. */
  instruments: readonly Instrument[];
  primaries: number;
  tags: readonly string[];
  importance: Weight;
  regions: readonly string[];
  contentType: string;
  /** Path below the site; made from the title when absent. */
  path?: string;
};

/** An item whose content is created on demand. */
export type Draft = {
  day: number;
  clock: number;
  draw: Draw;
  /** Name for references from later items of the same day. */
  name?: string;
  follows?: string;
  write: () => Piece;
};

/** The subjects of the desk. */
export type Desk = {
  draw: Draw;
  companies: readonly Company[];
  funds: readonly Instrument[];
  coins: readonly Instrument[];
};

const entities: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" };

export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => entities[character] as string);
}

/** Sentences that are HTML already. */
export function paragraph(...sentences: readonly string[]): string {
  return `<p>${sentences.join(" ")}</p>`;
}

export function bullets(items: readonly string[]): string {
  return `<ul>\n${items.map((item) => `<li>${item}</li>`).join("\n")}\n</ul>`;
}

export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[], tag: string) =>
    `<tr>${cells.map((cell) => `<${tag}>${cell}</${tag}>`).join("")}</tr>`;
  return `<table>\r\n${[line(head, "th"), ...rows.map((row) => line(row, "td"))].join("\r\n")}\r\n</table>`;
}

export function link(instrument: Instrument): string {
  const { exchange, ticker, name } = instrument;
  const address = `${site}/quote/${encodeURIComponent(ticker)}`;
  return `<strong>${escapeHtml(name)}</strong>&nbsp;(${exchange}: <a href="${address}">${ticker}</a>)`;
}

const disclaimer =
  "<p><em>This is Bellwire demo data: the companies are real, everything said of them is invented.</em></p>";

// Bodies come from many editors, so their line ends are mixed.
const lineEnds = ["\n", "\n", "\r\n", "\r\n\r\n", "\n\n", ""];

export function bodyOf(blocks: readonly string[], draw: Draw): string {
  if (blocks.length === 0) return "";
  let body = "";
  for (const block of blocks) body += block + draw.pick(lineEnds);
  return body + disclaimer;
}

export function weightOf(importance: number): Weight {
  return importance >= 5 ? "high" : importance >= 3 ? "medium" : "low";
}

/** The outer parts of an item about one company. */
export function aboutCompany(company: Company): Pick<Piece, "instruments" | "primaries" | "importance" | "regions"> {
  return {
    instruments: [company],
    primaries: 1,
    importance: weightOf(company.importance),
    regions: regionsOf(company.ticker),
  };
}
