// Requests to the server under check: within a budget, patient with rate limits, and reproducible with curl.
import { retryAfterMs } from "../core/retry-after.ts";

export type Request = {
  /** Path and query, without the key. */
  readonly url: string;
  readonly method?: "GET" | "HEAD" | "POST";
  readonly headers?: Readonly<Record<string, string>>;
  /** How the key is sent; in the query by default. */
  readonly key?: "query" | "header" | "none" | "unknown";
};

export type Exchange = {
  readonly request: Request;
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The parsed body; undefined if it isn't JSON. */
  readonly json: unknown;
};

export type SessionOptions = {
  readonly base: string;
  readonly token: string;
  /** Maximum number of requests. */
  readonly budget: number;
  readonly pause?: (ms: number) => Promise<unknown>;
};

/** No more requests may be sent. */
export class BudgetError extends Error {}

/** The server closed the connection, or took too long. */
export class NoResponseError extends Error {
  readonly request: Request;
  constructor(request: Request, reason: string) {
    super(reason);
    this.request = request;
  }
}

/** Has the form of a key of this server, so that it isn't rejected for its form, but is never valid. */
const unknownKey = "bw_00000000000000000000000000000000000000";

const timeoutMs = 30_000;
const retries = 5;
const shortestPauseMs = 1000;
const longestPauseMs = 60_000;

export class Session {
  readonly base: string;
  readonly #token: string;
  readonly #pause: (ms: number) => Promise<unknown>;
  /** Requests sent so far, and how many may be. */
  requests = 0;
  limit: number;
  hasResponded = false;

  constructor({
    base,
    token,
    budget,
    pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
  }: SessionOptions) {
    this.base = base;
    this.#token = token;
    this.limit = budget;
    this.#pause = pause;
  }

  /** Sends the request; repeated while the server says that there are too many. */
  async send(request: Request): Promise<Exchange> {
    for (let attempt = 0; ; attempt++) {
      if (this.requests >= this.limit) throw new BudgetError();
      this.requests++;
      const exchange = await this.#sendOnce(request);
      this.hasResponded = true;
      if (![429, 503].includes(exchange.status) || attempt === retries) return exchange;
      const pause = retryAfterMs(exchange.headers.get("retry-after"), Date.now()) ?? 0;
      if (pause > longestPauseMs) return exchange;
      await this.#pause(Math.max(shortestPauseMs, pause));
    }
  }

  /** Whether a text contains the key. */
  contains(text: string): boolean {
    return text.includes(this.#token);
  }

  /** A link of a response as the URL of a request: servers may be behind a path. */
  relative(link: string): string {
    const { pathname } = new URL(this.base);
    const { pathname: path, search } = new URL(link, this.base);
    const prefix = pathname.replace(/\/$/, "");
    return (path.startsWith(`${prefix}/`) ? path.slice(prefix.length) : path) + search;
  }

  /** The request for a shell, with TOKEN instead of the key. */
  curl({ url, method = "GET", headers = {}, key = "query" }: Request): string {
    const shown = { query: "TOKEN", header: "TOKEN", none: "", unknown: unknownKey }[key];
    const options = [
      ...(method === "GET" ? [] : method === "HEAD" ? ["--head"] : ["-X", method]),
      ...Object.entries({ ...headers, ...(key === "header" ? { authorization: "Bearer TOKEN" } : {}) }).flatMap(
        ([name, value]) => ["-H", quoted(`${name}: ${value}`)],
      ),
    ];
    return ["curl", "-gsi", ...options, quoted(this.base + withKey(url, key === "header" ? "" : shown))].join(" ");
  }

  async #sendOnce(request: Request): Promise<Exchange> {
    const { url, method = "GET", headers = {}, key = "query" } = request;
    const inQuery = { query: this.#token, header: "", none: "", unknown: unknownKey }[key];
    const inHeader = key === "header" ? { authorization: `Bearer ${this.#token}` } : {};
    try {
      const response = await fetch(this.base + withKey(url, inQuery), {
        method,
        headers: { accept: "application/json", ...inHeader, ...headers },
        redirect: "manual",
        signal: AbortSignal.timeout(timeoutMs),
      });
      const text = await response.text();
      return { request, status: response.status, headers: response.headers, text, json: parsed(text) };
    } catch (error) {
      const { cause, message } = error as Error & { cause?: Error };
      throw new NoResponseError(request, cause?.message ?? message);
    }
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function withKey(url: string, key: string): string {
  if (key === "") return url;
  const [path = "", query = ""] = url.split(/\?(.*)/s);
  return `${path}?token=${encodeURIComponent(key)}${query === "" ? "" : `&${query}`}`;
}

const quoted = (text: string): string => `'${text.replaceAll("'", "%27")}'`;
