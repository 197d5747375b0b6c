// Content negotiation by q-values: which format a client accepts, and which encoding.

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

const mediaTypes = {
  json: ["application/json", "application/*", "*/*"],
  xml: ["application/xml", "text/xml", "application/*", "text/*", "*/*"],
  text: ["text/plain", "text/*", "*/*"],
} as const;

/** The format a client wants most, JSON at equal q; undefined when it accepts none of those offered. */
export function negotiateFormat<F extends keyof typeof mediaTypes>(
  accept: string | undefined,
  offered: readonly F[],
): F | undefined {
  if (accept === undefined || accept.trim() === "") return offered[0];
  const given = choices(accept);
  let best: F | undefined;
  let bestQ = 0;
  for (const format of offered) {
    const q = mostSpecific(given, mediaTypes[format]);
    if (q > bestQ) {
      best = format;
      bestQ = q;
    }
  }
  return best;
}

/** A type named exactly decides over a range: `text/xml;q=0` excludes what a wildcard would let in. */
function mostSpecific(given: readonly Choice[], types: readonly string[]): number {
  const isRange = (name: string) => name.endsWith("/*");
  const exact = given.filter(({ name }) => types.includes(name) && !isRange(name));
  if (exact.length > 0) return Math.max(...exact.map(({ q }) => q));
  const range = given.filter(({ name }) => types.includes(name) && name !== "*/*");
  if (range.length > 0) return Math.max(...range.map(({ q }) => q));
  return Math.max(0, ...given.filter(({ name }) => name === "*/*").map(({ q }) => q));
}

export type Encoding = "br" | "gzip";

/** The encoding a client wants most, br at equal q; undefined: send the bytes as they are. */
export function negotiateEncoding(header: string | undefined): Encoding | undefined {
  if (header === undefined || header === "") return undefined;
  const given = choices(header);
  const qOf = (name: string): number =>
    (given.find((each) => each.name === name) ?? given.find((each) => each.name === "*"))?.q ?? 0;
  const br = qOf("br");
  const gzip = Math.max(qOf("gzip"), given.some(({ name }) => name === "x-gzip") ? qOf("x-gzip") : 0);
  if (br === 0 && gzip === 0) return undefined;
  const identity = given.find(({ name }) => name === "identity")?.q ?? 0;
  if (identity > Math.max(br, gzip)) return undefined;
  return br >= gzip ? "br" : "gzip";
}

/** Whether an If-None-Match header names this weak tag. */
export function matchesTag(header: string | undefined, tag: string): boolean {
  if (header === undefined) return false;
  const opaque = tag.replace(/^W\//, "");
  return header.split(",").some((part) => {
    const given = part.trim();
    return given === "*" || given.replace(/^W\//, "") === opaque;
  });
}
