// Query strings → names and values, independent of any resource.
import type { ParameterError } from "../problem.ts";

export type Query = ReadonlyMap<string, readonly string[]>;

/** Characters of path and query together. */
export const maxUrlLength = 16_384;

/** More than any endpoint has. */
const maxParameters = 256;

/** `+` is a space; a name without `=` has an empty value; brackets may be raw or percent-encoded. */
export function parseQuery(raw: string): { query: Query; errors: ParameterError[] } {
  const pairs = raw === "" ? [] : raw.split("&");
  if (pairs.length > maxParameters) {
    const error = {
      parameter: "",
      given: `${pairs.length} parameters`,
      expected: `at most ${maxParameters} parameters`,
    };
    // The key is still parsed: it is not missing.
    const { query } = parsePairs(pairs.filter((pair) => pair.startsWith("token=")));
    return { query, errors: [error] };
  }
  return parsePairs(pairs);
}

/** The query string of a URL. */
export function queryOf(url: string): string {
  const cut = url.indexOf("?");
  return cut === -1 ? "" : url.slice(cut + 1);
}

/** Adds path segments to a query. `stray` are query parameters with the name of a segment, which are ignored. */
export function withPathParameters(
  query: Query,
  path: Readonly<Record<string, string>>,
): { query: Query; stray: string[] } {
  const segments = Object.entries(path);
  if (segments.length === 0) return { query, stray: [] };
  return {
    query: new Map([...query, ...segments.map(([name, value]): [string, string[]] => [name, [value]])]),
    stray: segments.map(([name]) => name).filter((name) => query.has(name)),
  };
}

function parsePairs(pairs: readonly string[]): { query: Query; errors: ParameterError[] } {
  const query = new Map<string, string[]>();
  const errors: ParameterError[] = [];
  for (const pair of pairs) {
    if (pair === "") continue;
    const cut = pair.indexOf("=");
    const rawName = cut === -1 ? pair : pair.slice(0, cut);
    const rawValue = cut === -1 ? "" : pair.slice(cut + 1);
    const name = percentDecode(rawName);
    const value = percentDecode(rawValue);
    if (name === undefined || value === undefined) {
      errors.push({ parameter: name ?? rawName, given: rawValue, expected: "percent-encoded UTF-8" });
      continue;
    }
    const values = query.get(name);
    if (values === undefined) query.set(name, [value]);
    else values.push(value);
  }
  return { query, errors };
}

/** Undefined if the text isn't percent-encoded UTF-8. */
export function percentDecode(text: string): string | undefined {
  if (!/[%+]/.test(text)) return text;
  try {
    return decodeURIComponent(text.replaceAll("+", " "));
  } catch {
    return undefined;
  }
}
