// Content negotiation by q-values: formats, encodings, and ETags.
import { type Format, formats, mediaTypeOf } from "../../core/output/format.ts";

type Choice = { readonly name: string; readonly q: number };

/** Members of an Accept-like header; parameters other than q are ignored, and a q that is not a number counts as 1. */
function choices(header: string): Choice[] {
  return header.split(",").flatMap((part) => {
    const [name = "", ...parameters] = part.split(";").map((each) => each.trim().toLowerCase());
    if (name === "") return [];
    const q = parameters.find((each) => /^q\s*=/.test(each))?.replace(/^q\s*=\s*/, "");
    const value = q === undefined || !/^(0(\.\d{0,3})?|1(\.0{0,3})?)$/.test(q) ? 1 : Number(q);
    return [{ name, q: value }];
  });
}

/** Types and ranges that select a format of lists. */
function typesOf(format: Format): readonly string[] {
  const { aliases, inRanges } = formats[format];
  const types = [mediaTypeOf(format), ...aliases];
  if (!inRanges) return types;
  return [...types, ...new Set(types.map((type) => type.replace(/\/.*/, "/*"))), "*/*"];
}

type Offered = Format | "text" | "html" | "events";

const mediaTypes: Readonly<Record<Offered, readonly string[]>> = {
  ...(Object.fromEntries((Object.keys(formats) as Format[]).map((format) => [format, typesOf(format)])) as Record<
    Format,
    readonly string[]
  >),
  text: ["text/plain", "text/*", "*/*"],
  html: ["text/html", "application/xhtml+xml", "text/*", "*/*"],
  events: ["text/event-stream", "text/*", "*/*"],
};

/** The format the client prefers, the first offered at equal q; undefined if it accepts none of them. */
export function negotiateFormat<F extends Offered>(accept: string | undefined, offered: readonly F[]): F | undefined {
  if (accept === undefined || accept.trim() === "") return offered[0];
  const accepted = choices(accept);
  let best: F | undefined;
  let bestQ = 0;
  for (const format of offered) {
    const q = mostSpecific(accepted, mediaTypes[format]);
    if (q > bestQ) {
      best = format;
      bestQ = q;
    }
  }
  return best;
}

/** Whether a page is the right response: HTML is acceptable, and no other type is preferred or named instead. */
export function wantsPage(accept: string | undefined): boolean {
  if (accept === undefined || accept.trim() === "") return true;
  const accepted = choices(accept);
  const [html, json] = [mostSpecific(accepted, mediaTypes.html), mostSpecific(accepted, mediaTypes.json)];
  const namesJson = accepted.some(({ name, q }) => q > 0 && name === "application/json");
  return html > 0 && html >= json && (namesHtml(accept) || !namesJson);
}

/** Whether the client names HTML as a type it accepts, as browsers do. */
export const namesHtml = (accept = ""): boolean =>
  choices(accept).some(({ name, q }) => q > 0 && (name === "text/html" || name === "application/xhtml+xml"));

/** An exact type takes precedence over a range: `text/xml;q=0` excludes what a wildcard would allow. */
function mostSpecific(accepted: readonly Choice[], types: readonly string[]): number {
  const isRange = (name: string) => name.endsWith("/*");
  const exact = accepted.filter(({ name }) => types.includes(name) && !isRange(name));
  if (exact.length > 0) return Math.max(...exact.map(({ q }) => q));
  const ranges = accepted.filter(({ name }) => types.includes(name));
  const narrow = ranges.filter(({ name }) => name !== "*/*");
  return Math.max(0, ...(narrow.length > 0 ? narrow : ranges).map(({ q }) => q));
}

export type Encoding = "br" | "gzip";

/** The encoding the client prefers, br at equal q; undefined: none. */
export function negotiateEncoding(header: string | undefined): Encoding | undefined {
  if (header === undefined || header === "") return undefined;
  const accepted = choices(header);
  const qOf = (name: string): number =>
    (accepted.find((each) => each.name === name) ?? accepted.find((each) => each.name === "*"))?.q ?? 0;
  const br = qOf("br");
  const gzip = Math.max(qOf("gzip"), accepted.some(({ name }) => name === "x-gzip") ? qOf("x-gzip") : 0);
  if (br === 0 && gzip === 0) return undefined;
  const identity = accepted.find(({ name }) => name === "identity")?.q ?? 0;
  if (identity > Math.max(br, gzip)) return undefined;
  return br >= gzip ? "br" : "gzip";
}

/** Whether an If-None-Match header names this weak ETag. */
export function matchesTag(header: string | undefined, tag: string): boolean {
  if (header === undefined) return false;
  const opaque = tag.replace(/^W\//, "");
  return header.split(",").some((part) => {
    const listed = part.trim();
    return listed === "*" || listed.replace(/^W\//, "") === opaque;
  });
}
