// The `Link` header (RFC 8288) to the next page: the same request with a cursor.
import { percentDecode } from "../../core/query/query-string.ts";
import { redactKeys } from "../../keys/redact.ts";
import { isToken } from "../observe/log.ts";

/** Other parameters stay as sent, in their order; keys are removed wherever they appear. */
export function nextLink(path: string, query: string, cursor: string): string {
  const pairs = query.split("&").filter((pair) => pair !== "" && isForwarded(pair));
  const all = pairs.join("&");
  const safe = isWithoutKey(all) ? all : pairs.filter(isWithoutKey).join("&");
  const next = `${safe}${safe === "" ? "" : "&"}cursor=${cursor}`.toWellFormed().replace(unsafe, encodeURIComponent);
  return `<${path}?${next}>; rel="next"`;
}

function isForwarded(pair: string): boolean {
  const cut = pair.indexOf("=");
  const name = cut === -1 ? pair : pair.slice(0, cut);
  if (isToken(name)) return false;
  const plain = percentDecode(name);
  return plain !== "page" && plain !== "cursor";
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
