// An API request as data, to send, to compare, and to show as a snippet.

export type ApiRequest = {
  readonly method?: "GET" | "POST" | "PATCH" | "DELETE";
  readonly path: string;
  /** Wire names and values, in display order. */
  readonly params: readonly (readonly [string, string])[];
  /** Sent as JSON. */
  readonly body?: unknown;
};

export const get = (path: string, params: ApiRequest["params"] = []): ApiRequest => ({ path, params });

/** The request with some parameters replaced; undefined removes one. */
export function withParams(request: ApiRequest, change: Readonly<Record<string, string | undefined>>): ApiRequest {
  const unchanged = request.params.filter(([name]) => !Object.hasOwn(change, name));
  const set = Object.entries(change).filter((each): each is [string, string] => each[1] !== undefined);
  return { ...request, params: [...unchanged, ...set] };
}

/** URL on this server, with brackets, commas, and colons unescaped for readability. */
export function urlOf({ path, params }: ApiRequest): string {
  if (params.length === 0) return path;
  return `${path}?${params.map(([name, value]) => `${escaped(name)}=${escaped(value)}`).join("&")}`;
}

const readable: Readonly<Record<string, string>> = { "%5B": "[", "%5D": "]", "%2C": ",", "%3A": ":", "%20": "+" };

const escaped = (text: string): string =>
  encodeURIComponent(text).replace(/%(5B|5D|2C|3A|20)/g, (code) => readable[code] ?? code);

/** Equal for equal requests. */
export const cacheKeyOf = (request: ApiRequest): string =>
  `${request.method ?? "GET"} ${urlOf(request)} ${JSON.stringify(request.body ?? null)}`;
