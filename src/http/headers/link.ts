// The address of the page after this one, as the value of a `Link` header (RFC 8288): the request again, with a cursor.
import { percentDecode } from "../../core/query/query-string.ts";
import { redactKeys } from "../../keys/redact.ts";
import { isToken } from "../observe/log.ts";

/** Other parameters stay as they were sent, in their order; a key is left out wherever it stands. */
export function nextLink(path: string, query: string, cursor: string): string {
  const pairs = query.split("&").filter((pair) => pair !== "" && isPassedOn(pair));
  const all = pairs.join("&");
  const kept = isWithoutKey(all) ? all : pairs.filter(isWithoutKey).join("&");
  const next = `${kept}${kept === "" ? "" : "&"}cursor=${cursor}`.toWellFormed().replace(unfit, encodeURIComponent);
  return `<${path}?${next}>; rel="next"`;
}

function isPassedOn(pair: string): boolean {
  const cut = pair.indexOf("=");
  const name = cut === -1 ? pair : pair.slice(0, cut);
  if (isToken(name)) return false;
  const plain = percentDecode(name);
  return plain !== "page" && plain !== "cursor";
}

/** As it was sent, and as it was meant. */
function isWithoutKey(text: string): boolean {
  if (redactKeys(text) !== text) return false;
  const plain = percentDecode(text);
  // A pair that can't be read hides no key; of several, each is looked at by itself.
  if (plain === undefined) return !text.includes("&");
  return plain === text || redactKeys(plain) === plain;
}

/** What would end the reference or begin its fragment, and what no header can carry. */
const unfit = /[^!$-;=?-~]/gu;
