// A query string as names and values. Nothing is known here of any resource.
import type { Mistake } from "../problem.ts";

export type Query = ReadonlyMap<string, readonly string[]>;

/** Characters of path and query together. */
export const longestUrl = 16_384;

/** More names than any endpoint has: a request with more is a mistake or an attack. */
const mostParameters = 256;

/** `+` is a blank; a name without `=` has an empty value; brackets may be raw or percent-encoded. */
export function parseQuery(raw: string): { query: Query; mistakes: Mistake[] } {
  const pairs = raw === "" ? [] : raw.split("&");
  if (pairs.length > mostParameters) {
    const mistake = {
      parameter: "",
      given: `${pairs.length} parameters`,
      expected: `at most ${mostParameters} parameters`,
    };
    // Who asks is still read: a key that was sent is not missing.
    const { query } = readPairs(pairs.filter((pair) => pair.startsWith("token=")));
    return { query, mistakes: [mistake] };
  }
  return readPairs(pairs);
}

/** A query with what the path says. A parameter that has the name of a segment is something else, and means nothing. */
export function withPath(query: Query, path: Readonly<Record<string, string>>): { query: Query; stray: string[] } {
  const said = Object.entries(path);
  if (said.length === 0) return { query, stray: [] };
  return {
    query: new Map([...query, ...said.map(([name, value]): [string, string[]] => [name, [value]])]),
    stray: said.map(([name]) => name).filter((name) => query.has(name)),
  };
}

function readPairs(pairs: readonly string[]): { query: Query; mistakes: Mistake[] } {
  const query = new Map<string, string[]>();
  const mistakes: Mistake[] = [];
  for (const pair of pairs) {
    if (pair === "") continue;
    const cut = pair.indexOf("=");
    const rawName = cut === -1 ? pair : pair.slice(0, cut);
    const rawValue = cut === -1 ? "" : pair.slice(cut + 1);
    const name = decode(rawName);
    const value = decode(rawValue);
    if (name === undefined || value === undefined) {
      mistakes.push({ parameter: name ?? rawName, given: rawValue, expected: "percent-encoded UTF-8" });
      continue;
    }
    const values = query.get(name);
    if (values === undefined) query.set(name, [value]);
    else values.push(value);
  }
  return { query, mistakes };
}

/** A name or value as it was meant; undefined when it is not percent-encoded UTF-8. */
export function decode(text: string): string | undefined {
  if (!/[%+]/.test(text)) return text;
  try {
    return decodeURIComponent(text.replaceAll("+", " "));
  } catch {
    return undefined;
  }
}
