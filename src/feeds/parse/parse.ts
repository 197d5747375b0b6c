// Parses RSS 0.9x, 1.0 (RDF), 2.0, and Atom with feedsmith into one format.
import { type AtomFeed, MalformedError, type MediaNs, parseFeed, type RssFeed, type SyNs } from "feedsmith";
import { parseFeedDate } from "./date.ts";
import { escapeHtml } from "./html-cleaner.ts";
import { type Feed, itemOf, namesOf, type RawItem } from "./item.ts";

/** RDF items have the namespaced elements of RSS items, and a URL as their name. */
type RssItem = RssFeed.Item<string> & { readonly rdf?: { readonly about?: string } };
type Rss = Pick<RssFeed.Feed<string>, "link" | "xml" | "categories" | "ttl" | "sy"> & { items?: RssItem[] };
type Atom = AtomFeed.Feed<string>;

/** A feed has the newest items; more than this is an archive. */
const maxItems = 5000;

const neither = "it is neither RSS nor Atom";

/** The feed at a URL, or why the document isn't one. */
export function parseDocument(text: string, address: string): Feed | { readonly problem: string } {
  // A truncated document would yield items without their identifiers.
  if (!/<\/(?:[\w.-]{1,100}:)?(?:rss|feed|rdf)\s*>/i.test(text)) {
    return { problem: /<(?:[\w.-]{1,100}:)?(?:rss|feed|rdf)[\s>]/i.test(text) ? "the feed is truncated" : neither };
  }
  try {
    const { format, feed } = parseFeed(text);
    if (format === "json") return { problem: neither };
    const read = format === "atom" ? parseAtom(feed, address) : parseRss(feed, address);
    return {
      categories: namesOf(read.categories),
      ttlSeconds: read.ttlSeconds ?? periodOf(feed.sy),
      items: read.found.slice(0, maxItems).map(itemOf),
      omitted: Math.max(read.found.length - maxItems, 0),
    };
  } catch (error) {
    const cause = error instanceof MalformedError ? (error.cause as Error | undefined) : undefined;
    if (cause !== undefined) return { problem: `invalid XML: ${cause.message}` };
    if (error instanceof Error && /^(Detect|Parse)Error$/.test(error.name)) return { problem: neither };
    throw error;
  }
}

type ParsedFeed = {
  readonly found: readonly RawItem[];
  readonly categories: readonly (string | undefined)[];
  readonly ttlSeconds?: number | undefined;
};

function parseRss(feed: Rss, address: string): ParsedFeed {
  const base = resolveBase(address, feed.link, feed.xml?.base);
  const found = (feed.items ?? []).map((item): RawItem => {
    const { guid, dc, atom, media, authors = [], categories = [] } = item;
    const permanent = guid?.isPermaLink === false ? undefined : guid?.value;
    return {
      base: resolveBase(base, item.xml?.base),
      keys: [guid?.value, item.rdf?.about, atom?.id, item.link],
      title: item.title ?? dc?.titles?.[0] ?? media?.title?.value ?? "",
      content: item.content?.encoded ?? "",
      summary: item.description ?? dc?.descriptions?.[0] ?? media?.description?.value ?? "",
      url: item.link ?? linkOf(atom?.links) ?? permanent,
      authors: dc?.creators ?? authors.map(({ name, email }) => name ?? email),
      date: dateOf(item.pubDate, dc?.dates?.[0], atom?.published, atom?.updated),
      categories: [...categories.map(({ name }) => name), ...(dc?.subjects ?? [])],
      keywords: media?.keywords ?? [],
      images: [...mediaImages(media), ...(item.enclosures ?? []).filter(({ type }) => isImage(type))],
    };
  });
  const ttlSeconds = feed.ttl === undefined ? undefined : feed.ttl * 60;
  return { found, categories: (feed.categories ?? []).map(({ name }) => name), ttlSeconds };
}

function parseAtom(feed: Atom, address: string): ParsedFeed {
  const base = resolveBase(address, feed.xml?.base);
  const found = (feed.entries ?? []).map((entry): RawItem => {
    const { links = [], media, dc, content, authors = entry.source?.authors ?? feed.authors ?? [] } = entry;
    return {
      base: resolveBase(base, entry.xml?.base, content?.xml?.base),
      keys: [entry.id],
      title: htmlOf(entry.title),
      content: htmlOf(content),
      summary: htmlOf(entry.summary),
      url: linkOf(links),
      authors: [...authors.map(({ name }) => name), ...(dc?.creators ?? [])],
      date: dateOf(entry.published, entry.updated, dc?.dates?.[0]),
      categories: [...(entry.categories ?? []).map(labelOf), ...(dc?.subjects ?? [])],
      keywords: media?.keywords ?? [],
      images: [
        ...mediaImages(media),
        ...links.filter(({ rel, type }) => rel === "enclosure" && isImage(type)).map(({ href }) => ({ url: href })),
      ],
    };
  });
  return { found, categories: (feed.categories ?? []).map(labelOf) };
}

/** The label of a category, if it has one. */
const labelOf = ({ label, term }: AtomFeed.Category): string | undefined => label ?? term;

/** Atom text as HTML, by its type; plain text by default. */
function htmlOf(text: AtomFeed.Text | AtomFeed.Content | undefined): string {
  const { value = "", type = "text" } = text ?? {};
  if (/^(x?html|text\/html|application\/xhtml\+xml)$/i.test(type)) return value;
  return /^text(\/plain)?$/i.test(type) ? escapeHtml(value) : "";
}

const linkOf = (links: readonly AtomFeed.Link<string>[] = []): string | undefined =>
  links.find(({ rel = "alternate", href }) => rel === "alternate" && href !== undefined)?.href;

const isImage = (type: string | undefined): boolean => /^image\//i.test(type ?? "");

function mediaImages(media: MediaNs.ItemOrFeed | undefined): RawItem["images"][number][] {
  if (media === undefined) return [];
  const parts = [media, ...(media.groups ?? [])];
  const contents = parts.flatMap((part) => part.contents ?? []);
  return [
    ...contents
      .filter(({ medium, type }) => medium === "image" || isImage(type))
      .map(({ url, width }) => ({ url, width })),
    ...[...parts, ...contents].flatMap(({ thumbnails = [] }) => thumbnails.map(({ url }) => ({ url, thumb: true }))),
  ];
}

/** The first valid one. */
function dateOf(...dates: readonly (string | undefined)[]): number | undefined {
  for (const date of dates) {
    const seconds = date === undefined ? undefined : parseFeedDate(date);
    if (seconds !== undefined) return seconds;
  }
  return undefined;
}

/** Resolves nested base URLs; invalid ones are ignored. */
const resolveBase = (address: string, ...bases: readonly (string | undefined)[]): string =>
  bases.reduce<string>(
    (outer, base) => (base && URL.canParse(base, outer) ? new URL(base, outer).href : outer),
    address,
  );

const periods: Readonly<Record<string, number>> = {
  hourly: 3600,
  daily: 86_400,
  weekly: 604_800,
  monthly: 2_592_000,
  yearly: 31_536_000,
};

function periodOf(sy: SyNs.Feed<string> | undefined): number | undefined {
  const period = periods[sy?.updatePeriod?.toLowerCase() ?? ""];
  return period === undefined ? undefined : period / Math.max(sy?.updateFrequency ?? 1, 1);
}
