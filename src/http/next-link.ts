// The address of the page after this one, as the value of a `Link` header (RFC 8288): the request again, with a cursor.
import { decode } from "../core/query.ts";
import { hideKeys } from "../keys/key.ts";
import { isToken } from "./log.ts";

/** Other parameters stay as they were sent, in their order; a key is left out wherever it stands. */
export function nextLink(path: string, query: string, cursor: string): string {
  const pairs = query.split("&").filter((pair) => pair !== "" && isKept(pair));
  const next = [...pairs, `cursor=${cursor}`].join("&").toWellFormed().replace(unfit, encodeURIComponent);
  return `<${path}?${next}>; rel="next"`;
}

function isKept(pair: string): boolean {
  const cut = pair.indexOf("=");
  const name = cut === -1 ? pair : pair.slice(0, cut);
  if (isToken(name) || ["page", "cursor"].includes(decode(name) ?? "")) return false;
  const plain = decode(pair) ?? pair;
  return hideKeys(pair) === pair && (plain === pair || hideKeys(plain) === plain);
}

/** What would end the reference or begin its fragment, and what no header can carry. */
const unfit = /[^!$-;=?-~]/gu;
