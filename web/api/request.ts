// A request to the API, as data: it is sent, shown as a call in three languages, and compared.

export type ApiRequest = {
  readonly method?: "GET" | "POST" | "PATCH" | "DELETE";
  readonly path: string;
  /** Wire names and values, in the order in which they are shown. */
  readonly params: readonly (readonly [string, string])[];
  /** Sent as JSON. */
  readonly body?: unknown;
};

export const get = (path: string, params: ApiRequest["params"] = []): ApiRequest => ({ path, params });

/** The request with some parameters set anew; undefined takes one out. */
export function withParams(request: ApiRequest, change: Readonly<Record<string, string | undefined>>): ApiRequest {
  const kept = request.params.filter(([name]) => !Object.hasOwn(change, name));
  const set = Object.entries(change).filter((each): each is [string, string] => each[1] !== undefined);
  return { ...request, params: [...kept, ...set] };
}

/** The address on this server. Brackets, commas and colons stay as they are: the server reads them, and so do people. */
export function addressOf({ path, params }: ApiRequest): string {
  if (params.length === 0) return path;
  return `${path}?${params.map(([name, value]) => `${escaped(name)}=${escaped(value)}`).join("&")}`;
}

const legible: Readonly<Record<string, string>> = { "%5B": "[", "%5D": "]", "%2C": ",", "%3A": ":", "%20": "+" };

const escaped = (text: string): string =>
  encodeURIComponent(text).replace(/%(5B|5D|2C|3A|20)/g, (code) => legible[code] ?? code);

/** The same for requests that ask for the same. */
export const identityOf = (request: ApiRequest): string =>
  `${request.method ?? "GET"} ${addressOf(request)} ${JSON.stringify(request.body ?? null)}`;
