// What is taken from a feed, whatever its format: plain, bounded, with absolute addresses.
import { maxIndexedLength } from "../../core/catalog/field.ts";
import { absoluteUrl, escapeHtml, oneLine, sanitizeHtml, shorten } from "./html-cleaner.ts";
import { type TickerMention, tickerMentions } from "./ticker-mentions.ts";

export type Image = { readonly url: string; readonly size: string };

export type Item = {
  /** What tells the item from all others of its feed, for ever. */
  readonly key: string;
  readonly title: string;
  /** HTML. */
  readonly body: string;
  readonly teaser: string;
  readonly url: string;
  readonly author: string;
  /** Unix seconds; undefined when the feed does not say, or not in a way that can be read. */
  readonly date: number | undefined;
  readonly categories: readonly string[];
  readonly keywords: readonly string[];
  readonly images: readonly Image[];
  readonly mentions: readonly TickerMention[];
};

export type Feed = {
  readonly categories: readonly string[];
  /** How long the publisher wants it to be left alone; undefined when it does not say. */
  readonly ttlSeconds: number | undefined;
  readonly items: readonly Item[];
  /** Items beyond the most that are read. */
  readonly omitted: number;
};

/** An item as a format gives it: texts are HTML, addresses may be relative to `base`. */
export type RawItem = {
  readonly base: string;
  /** In the order in which they are preferred. */
  readonly keys: readonly (string | undefined)[];
  readonly title: string;
  readonly content: string;
  readonly summary: string;
  readonly url: string | undefined;
  readonly authors: readonly (string | undefined)[];
  readonly date: number | undefined;
  readonly categories: readonly (string | undefined)[];
  readonly keywords: readonly (string | undefined)[];
  readonly images: readonly {
    readonly url?: string | undefined;
    readonly width?: number | undefined;
    readonly thumb?: boolean;
  }[];
};

const maxTitleLength = 1000;
const maxTeaserLength = 300;
/** A headline that is made from the text, for an item that has none. */
const generatedTitleLength = 120;
const maxNames = 50;
const maxImages = 20;

export function itemOf(found: RawItem): Item {
  const { base, date } = found;
  const body = sanitizeHtml(found.content === "" ? found.summary : found.content, base);
  const text = oneLine(body);
  const title = oneLine(found.title) || shorten(text, generatedTitleLength);
  const own = found.content === "" || found.summary === found.content ? "" : sanitizeHtml(found.summary, base);
  const url = absoluteUrl(found.url, base) ?? "";
  const categories = namesOf(found.categories);
  return {
    key: found.keys.find((key) => key !== undefined) ?? (url === "" ? `${title}\n${date ?? ""}` : url),
    title: shorten(title, maxTitleLength),
    body,
    teaser: own === "" ? escapeHtml(shorten(text, maxTeaserLength)) : own,
    url,
    author: shorten(namesOf(found.authors).join(", "), maxIndexedLength),
    date,
    categories,
    keywords: namesOf(found.keywords),
    images: imagesOf(found),
    mentions: tickerMentions([title, oneLine(own), text, ...categories].join("\n")),
  };
}

/** Plain names, each once; one that is too long to be asked by is no name. */
export function namesOf(given: readonly (string | undefined)[]): string[] {
  const names = given
    .map((name) => oneLine(name ?? ""))
    .filter((name) => name !== "" && name.length <= maxIndexedLength);
  return [...new Set(names)].slice(0, maxNames);
}

function imagesOf({ images, base }: RawItem): Image[] {
  const found = new Map<string, Image>();
  for (const { url: given, width, thumb } of images) {
    const url = absoluteUrl(given, base);
    if (url !== undefined && !found.has(url)) found.set(url, { url, size: thumb ? "thumb" : sizeOf(width) });
  }
  return [...found.values()].slice(0, maxImages);
}

/** By the width in pixels; empty when it is not known. */
function sizeOf(width: number | undefined): string {
  if (width === undefined) return "";
  return width <= 200 ? "thumb" : width <= 640 ? "small" : "large";
}
