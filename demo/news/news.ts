// News items: collects drafts from the calendars and the desk by day, sorts them, and assigns IDs.

import { dividendsOf } from "../calendars/dividends.ts";
import { allSeries } from "../calendars/economics.ts";
import { guidanceOf } from "../calendars/guidance.ts";
import { isNews } from "../calendars/ratings.ts";
import { newsOnlyRows } from "../companies/companies.ts";
import type { Company } from "../companies/company.ts";
import type { Opinion } from "../companies/coverage.ts";
import { personName } from "../companies/firms.ts";
import { identifiersOf } from "../companies/identifiers.ts";
import { dayOf, newYorkSeconds } from "../days.ts";
import type { Draw } from "../draw.ts";
import type { DemoRecord, LazyRecord, World } from "../world.ts";
import { channel, channelsOf } from "./channels.ts";
import { deskDrafts } from "./desk.ts";
import { bodyOf, type Desk, type Draft, type Instrument, site } from "./piece.ts";
import { earningsDrafts, guidanceDraft } from "./results.ts";
import { dividendDraft, opinionDraft, releaseDraft } from "./stories.ts";

// IDs derive from the day and the index in it, so they don't depend on what else is generated: eight digits until 2060.
const firstDay = dayOf(2000, 1, 1);
const idsPerDay = 4000;
const idsPerItem = 8;

function newsOnly(): Instrument[] {
  return newsOnlyRows.map(([ticker, name, exchange], place) => {
    const coin = exchange === "CRYPTO";
    const { cusip, isin } = coin ? { cusip: "", isin: "" } : identifiersOf(1000 + place, "US");
    return { ticker, name, exchange, sector: coin ? "Coin" : "ETF", cusip, isin };
  });
}

type Bucket = { drafts: Draft[]; changes: Opinion[] };

/** Drafts from the calendars, by day. */
function gather(world: World, funds: readonly Instrument[]): Map<number, Bucket> {
  const buckets = new Map<number, Bucket>();
  for (let day = world.fromDay; day <= world.today; day++) buckets.set(day, { drafts: [], changes: [] });
  const add = (draft: Draft) => buckets.get(draft.day)?.drafts.push(draft);
  const sectors = Map.groupBy(world.companies, (company) => company.sector);
  for (const company of world.companies) {
    const peers: readonly Company[] = sectors.get(company.sector) ?? [];
    for (const quarter of company.quartersAround(world.fromDay, world.toDay)) {
      for (const draft of earningsDrafts(quarter, peers)) add(draft);
    }
    for (const item of guidanceOf(company, world.fromDay, world.today)) {
      const draft = guidanceDraft(item);
      if (item.primary && draft.draw.at("told").chance(0.4)) add(draft);
    }
    for (const dividend of dividendsOf(company, world.fromDay, world.today)) {
      const draft = dividendDraft(dividend);
      if (draft.draw.at("told").chance(0.4)) add(draft);
    }
  }
  for (const opinion of world.opinions()) {
    if (isNews(opinion)) add(opinionDraft(opinion));
    if (opinion.action === "Upgrades" || opinion.action === "Downgrades")
      buckets.get(opinion.day)?.changes.push(opinion);
  }
  for (const series of allSeries(world.draw)) {
    if (series.row[2] < (series.code === "USA" ? 2 : 3)) continue;
    for (const release of series.releases(world.fromDay, world.today)) add(releaseDraft(release, funds));
  }
  return buckets;
}

export function* newsRecords(world: World): Generator<LazyRecord> {
  const others = newsOnly();
  const desk: Desk = {
    draw: world.draw,
    companies: world.companies,
    funds: others.filter(({ sector }) => sector === "ETF"),
    coins: others.filter(({ sector }) => sector === "Coin"),
  };
  for (const [day, { drafts, changes }] of gather(world, desk.funds)) {
    drafts.push(...deskDrafts(day, desk, changes));
    drafts.sort((one, other) => one.clock - other.clock);
    const first = 10_000_000 + (day - firstDay) * idsPerDay;
    const named = new Map<string, number>();
    for (const [place, draft] of drafts.entries()) {
      const created = newYorkSeconds(day, draft.clock);
      // Sorted by time, so that later items don't change the IDs of earlier ones.
      if (created > world.now) break;
      const id = first + place * idsPerItem + draft.draw.at("id").int(0, idsPerItem - 1);
      if (draft.name) named.set(draft.name, id);
      const original = draft.follows ? named.get(draft.follows) : undefined;
      yield () => newsRecord(draft, id, created, original, world.now);
    }
  }
}

function newsRecord(
  draft: Draft,
  id: number,
  created: number,
  originalId: number | undefined,
  now: number,
): DemoRecord {
  const draw = draft.draw.at("outer form");
  const piece = draft.write();
  const hasBody = piece.blocks.length > 0;
  return {
    id,
    ...(originalId === undefined ? {} : { original_id: originalId }),
    author: authorOf(draw.at("author"), hasBody),
    created,
    updated: updatedAt(created, draw.at("updated"), now),
    title: piece.title,
    teaser: piece.teaser,
    body: bodyOf(piece.blocks, draw.at("body")),
    url: `${site}/${piece.path ?? `${id}/${slug(piece.title)}`}`,
    image: draw.at("image").chance(hasBody ? 0.85 : 0.06) ? imagesOf(id) : [],
    channels: channelsOf(piece, draw.at("channels")).map(channel),
    stocks: stocksOf(piece.instruments, piece.primaries, draw.at("stocks")),
    tags: tagsOf(piece.tags, draw.at("tags")).map((name) => ({ name })),
    content_type: piece.contentType,
    importance: piece.importance,
    regions: piece.regions,
  };
}

/** Every author name marks the item as a demo, since headlines have no body to do so. */
function authorOf(draw: Draw, hasBody: boolean): string {
  if (!hasBody && draw.chance(0.8)) return "Bellwire Demo Newsdesk";
  return `${personName(draw.at("person", draw.int(1, 24)))} (Demo)`;
}

/** Most items stay as they are or are touched within the minute; one in fifteen is revised later. */
function updatedAt(created: number, draw: Draw, now: number): number {
  const luck = draw.unit();
  const later = luck < 1 / 15 ? draw.int(120, 6 * 3600) : luck < 0.42 ? draw.int(1, 59) : 0;
  return created + later <= now ? created + later : created;
}

function imagesOf(id: number): { size: string; url: string }[] {
  return ["thumb", "small", "large"].map((size) => ({ size, url: `${site}/images/${id}-${size}.png` }));
}

function tagsOf(tags: readonly string[], draw: Draw): string[] {
  if (draw.chance(0.6)) return [];
  return draw.some([...new Set(tags)], draw.int(1, 4));
}

function stockOf({ ticker, exchange, cusip, isin }: Instrument, primary: boolean): Record<string, unknown> {
  // Coins have neither exchange nor identifiers.
  return exchange === "CRYPTO" ? { name: ticker, primary } : { name: ticker, exchange, isin, cusip, primary };
}

function stocksOf(instruments: readonly Instrument[], primaries: number, draw: Draw): Record<string, unknown>[] {
  const stocks = instruments.map((instrument, place) => stockOf(instrument, place < primaries));
  // The first stock of a list is not always the one it is about.
  return stocks.length > 1 && draw.chance(0.25) ? stocks.reverse() : stocks;
}

function slug(title: string): string {
  return (
    title
      .slice(0, 60)
      .toLowerCase()
      .match(/[a-z0-9]+/g) ?? []
  ).join("-");
}
