// A feed item in one format: plain, limited in length, with absolute URLs.
import { maxIndexedLength } from "../../core/catalog/field.ts";
import { absoluteUrl, escapeHtml, oneLine, sanitizeHtml, shorten } from "./html-cleaner.ts";
import { type TickerMention, tickerMentions } from "./ticker-mentions.ts";

type Image = { readonly url: string; readonly size: string };

export type Item = {
  /** Permanent identifier within its feed. */
  readonly key: string;
  readonly title: string;
  /** HTML. */
  readonly body: string;
  readonly teaser: string;
  readonly url: string;
  readonly author: string;
  /** Unix seconds; undefined if missing or unreadable. */
  readonly date: number | undefined;
  readonly categories: readonly string[];
  readonly keywords: readonly string[];
  readonly images: readonly Image[];
  readonly mentions: readonly TickerMention[];
};

export type Feed = {
  readonly categories: readonly string[];
  /** Minimum interval set by the publisher. */
  readonly ttlSeconds: number | undefined;
  readonly items: readonly Item[];
  /** Items beyond the limit. */
  readonly omitted: number;
};

/** An item as parsed: texts are HTML, URLs may be relative to `base`. */
export type RawItem = {
  readonly base: string;
  /** In order of preference. */
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
/** Length of a headline derived from the text. */
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

/** Unique plain names; names too long for a query are dropped. */
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

/** By width in pixels; empty if unknown. */
function sizeOf(width: number | undefined): string {
  if (width === undefined) return "";
  return width <= 200 ? "thumb" : width <= 640 ? "small" : "large";
}
