// Sanitizes HTML from feeds: known elements, absolute URLs, nothing executable. Also shortens texts.
import sanitize from "sanitize-html";
import { hiddenElements, plainText } from "../../core/text/html-text.ts";

const attributes = {
  a: ["href", "title"],
  abbr: ["title"],
  img: ["src", "alt", "title", "width", "height"],
  ol: ["start"],
  td: ["colspan", "rowspan"],
  th: ["colspan", "rowspan"],
  time: ["datetime"],
};

const rules = {
  allowedTags: (
    "a abbr address article aside b blockquote br caption cite code col colgroup dd del details dfn div dl dt em figcaption " +
    "figure footer h1 h2 h3 h4 h5 h6 header hr i img ins kbd li main mark ol p pre q s samp section small span strong sub " +
    "summary sup table tbody td tfoot th thead time tr u ul var"
  ).split(" "),
  allowedAttributes: attributes,
  allowedEmptyAttributes: Object.values(attributes).flat(),
  allowedSchemes: ["http", "https"],
  allowedSchemesByTag: { a: ["http", "https", "mailto"] },
  nonTextTags: [...hiddenElements],
  selfClosing: ["br", "col", "hr", "img"],
  exclusiveFilter: ({ tag, attribs }: sanitize.IFrame) => tag === "img" && attribs.src === undefined,
  textFilter: (text: string) => text.replaceAll('"', "&quot;"),
};

/** Nesting limit of browsers; the parser takes quadratic time in the depth. */
const maxDepth = 512;
const tooDeep = new Error("too deep");

const escapes: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };
export const escapeHtml = (text: string): string => text.replace(/[&<>"]/g, (character) => escapes[character] ?? "");

const resolve = (address: string, base: string): string | undefined =>
  address.trim() === "" ? undefined : URL.parse(address.trim(), base)?.href;

/** An absolute http or https URL; undefined for anything else. */
export function absoluteUrl(address: string | undefined, base: string): string | undefined {
  const url = resolve(address ?? "", base);
  return url !== undefined && /^https?:/.test(url) ? url : undefined;
}

/** Makes one attribute absolute; the sanitizer checks its scheme. */
const urlResolver =
  (name: string, base: string): sanitize.Transformer =>
  (tagName, { ...attribs }) => {
    const url = resolve(attribs[name] ?? "", base);
    if (url === undefined) delete attribs[name];
    else attribs[name] = url;
    return { tagName, attribs };
  };

/** HTML that is nested too deeply is stored as plain text. */
export function sanitizeHtml(source: string, base: string): string {
  let depth = 0;
  try {
    const clean = sanitize(source.replace(/\r\n?/g, "\n"), {
      ...rules,
      transformTags: { a: urlResolver("href", base), img: urlResolver("src", base) },
      onOpenTag: () => {
        if (++depth > maxDepth) throw tooDeep;
      },
      onCloseTag: () => depth--,
    });
    // HTML, not XHTML. No other `>` is left unescaped.
    return clean.replaceAll(" />", ">").trim();
  } catch (error) {
    if (error !== tooDeep) throw error;
    return escapeHtml(plainText(source));
  }
}

/** HTML as one line of text. */
export const oneLine = (html: string): string => plainText(html).replace(/\s+/g, " ");

/** Truncates a text, between words where possible. */
export function shorten(text: string, most: number): string {
  if (text.length <= most) return text;
  const room = text.slice(0, most - 1);
  const space = room.lastIndexOf(" ");
  // No half of a surrogate pair remains.
  return `${(space > most / 2 ? room.slice(0, space) : room).replace(/[\ud800-\udbff]$/, "")}…`;
}
