// The URL of a list and of its next page, without keys; and the `Link` header (RFC 8288) to the next page.
import { percentDecode } from "../../core/query/query-string.ts";
import { redactKeys } from "../../keys/redact.ts";
import { isToken } from "../observe/log.ts";

export type ListUrls = {
  readonly self: () => string;
  /** The same request with a cursor. */
  readonly next: (cursor: string) => string;
};

/** Relative, as documented. */
export const listUrls = (path: string, query: string): ListUrls => ({
  self: () => urlOf(path, query, () => true),
  next: (cursor) => urlOf(path, query, ({ plain }) => plain !== "page" && plain !== "cursor", `cursor=${cursor}`),
});

export const nextLink = (urls: ListUrls, cursor: string): string => `<${urls.next(cursor)}>; rel="next"`;

/** A parameter name as sent, and decoded if it can be. */
type Name = { readonly raw: string; readonly plain: string | undefined };

/** Parameters stay as sent, in their order; keys are removed wherever they appear. */
function urlOf(path: string, query: string, isKept: (name: Name) => boolean, ...more: readonly string[]): string {
  const pairs = query.split("&").filter((pair) => {
    const name = nameOf(pair);
    return pair !== "" && !isToken(name.raw) && isKept(name);
  });
  const all = pairs.join("&");
  const safe = isWithoutKey(all) ? pairs : pairs.filter(isWithoutKey);
  const sent = [...safe, ...more].join("&").toWellFormed().replace(unsafe, encodeURIComponent);
  return sent === "" ? path : `${path}?${sent}`;
}

function nameOf(pair: string): Name {
  const cut = pair.indexOf("=");
  const raw = cut === -1 ? pair : pair.slice(0, cut);
  return { raw, plain: percentDecode(raw) };
}

/** Both encoded and decoded. */
function isWithoutKey(text: string): boolean {
  if (redactKeys(text) !== text) return false;
  const plain = percentDecode(text);
  // A pair that can't be decoded hides no key; several are checked one by one.
  if (plain === undefined) return !text.includes("&");
  return plain === text || redactKeys(plain) === plain;
}

/** Characters that would end the URL or start its fragment, or that a header can't contain. */
const unsafe = /[^!$-;=?-~]/gu;
