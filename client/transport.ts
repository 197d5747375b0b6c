// Requests: the key, timeouts, retries with jitter, and pacing by the server's rate limits.
import { BellwireError, errorFrom } from "./error.ts";

export type Options = {
  /** Of the server, such as `https://news.example.com`. */
  readonly url: string | URL;
  /** API key; sent in the `Authorization` header. */
  readonly token: string;
  /** Attempts after the first; 4 by default. */
  readonly retries?: number;
  /** How long a response may take; 30,000 by default. */
  readonly timeoutMs?: number;
  /** Longest pause before a request is sent again. If the server demands a longer one, the request fails; 60,000 by default. */
  readonly maxDelayMs?: number;
  /** Responses by URL, for conditional requests; a `Map`, or anything with the same two methods. */
  readonly cache?: Cache;
  /** Another implementation of `fetch`. */
  readonly fetch?: typeof fetch;
};

export type Cache = {
  get(url: string): CachedPage | undefined | Promise<CachedPage | undefined>;
  set(url: string, page: CachedPage): unknown;
};

/** Can be stored as JSON. `body` is text, so that callers may change the records that they receive. */
export type CachedPage = { readonly etag: string; readonly body: string; readonly link: string | null };

/** What remains of a limit of the key. */
export type Limit = {
  readonly name: string;
  /** Requests. */
  readonly remaining: number;
  /** Until all of them are available again. */
  readonly resetSeconds: number;
};

type Attempt<T> = {
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal | undefined;
  readonly retries?: number;
  /** Reads the body: a response that ends early is requested again. */
  readonly read: (response: Response, watchdog: Watchdog) => Promise<T>;
};

const firstDelayMs = 250;
const retried = new Set([0, 408, 425, 429, 500, 502, 503, 504]);

export class Transport {
  readonly #options: Options;
  readonly #base: string;
  readonly #maxDelayMs: number;
  /** No request is sent before this time. */
  #pausedUntil = 0;

  constructor(options: Options) {
    this.#options = options;
    this.#base = baseOf(options?.url);
    // `fetch` would name the key in its error.
    if (!/^[\x21-\x7e]+$/.test(options.token ?? ""))
      throw new TypeError("token: expected a key: printable ASCII without spaces or line breaks");
    this.#maxDelayMs = options.maxDelayMs ?? 60_000;
  }

  /** `target` is a path with a query. */
  async request<T>(target: string, attempt: Attempt<T>): Promise<T> {
    const { signal, retries = this.#options.retries ?? 4 } = attempt;
    for (let failures = 0; ; failures++) {
      try {
        return await this.#try(target, attempt);
      } catch (cause) {
        signal?.throwIfAborted();
        const error = cause instanceof BellwireError ? cause : noResponse(target, cause);
        const delay = this.#delay(error, failures);
        if (failures >= retries || delay === undefined) throw error;
        await sleep(delay, signal);
      }
    }
  }

  async #try<T>(target: string, { headers, signal, read }: Attempt<T>): Promise<T> {
    const { token, timeoutMs = 30_000, fetch = globalThis.fetch } = this.#options;
    for (let pause = this.#pause(); pause > 0; pause = this.#pause()) await sleep(pause, signal);
    signal?.throwIfAborted();
    const watchdog = new Watchdog(signal);
    try {
      watchdog.start(timeoutMs);
      const response = await fetch(this.#base + target, {
        headers: { ...headers, authorization: `Bearer ${token}` },
        signal: watchdog.signal,
      });
      this.#pace(limitsOf(response.headers));
      if (!response.ok && response.status !== 304) throw await errorFrom(target, response);
      return await read(response, watchdog);
    } catch (error) {
      watchdog.stop();
      throw error;
    }
  }

  #pause(): number {
    return this.#pausedUntil - Date.now();
  }

  /** A limit that is used up for long is left to the server to report. */
  #pace(limits: readonly Limit[]): void {
    for (const { remaining, resetSeconds } of limits)
      if (remaining === 0 && resetSeconds * 1000 <= this.#maxDelayMs)
        this.#pausedUntil = Math.max(this.#pausedUntil, Date.now() + resetSeconds * 1000);
  }

  /** Undefined if it is useless to try again. */
  #delay({ status, retryAfter = 0 }: BellwireError, failures: number): number | undefined {
    const jitter = Math.random() * Math.min(this.#maxDelayMs, firstDelayMs * 2 ** failures);
    return retried.has(status) && retryAfter * 1000 <= this.#maxDelayMs ? retryAfter * 1000 + jitter : undefined;
  }
}

/** Without slashes at the end. */
function baseOf(url: string | URL | undefined): string {
  const { protocol, username, search, hash } = URL.canParse(String(url)) ? new URL(String(url)) : ({} as Partial<URL>);
  if (!/^https?:$/.test(protocol ?? "") || username || search || hash)
    throw new TypeError(
      // A password isn't repeated.
      `url: expected an address such as https://news.example.com, received ${String(url).replace(/\/\/.*@/s, "//…@")}`,
    );
  return String(url).replace(/\/+$/, "");
}

const noResponse = (target: string, cause: unknown): BellwireError => {
  const reasons: unknown[] = [];
  // `fetch failed` has the actual reason as its cause.
  for (let at = cause; at !== undefined && reasons.length < 3; at = at instanceof Error ? at.cause : undefined)
    reasons.push(at instanceof Error ? at.message || (at as { code?: string }).code : at);
  return new BellwireError(`GET ${target}: ${reasons.join(": ")}`, 0, undefined, undefined, cause);
};

/** Such as `RateLimit: "rate";r=0;t=4, "quota";r=87211;t=40211` */
export function limitsOf(headers: Headers): Limit[] {
  const text = headers.get("ratelimit") ?? "";
  return [...text.matchAll(/"([^"]*)"([^,]*)/g)].map(([, name = "", parameters = ""]) => {
    const value = (key: string) => Number(new RegExp(`;\\s*${key}=(\\d+)`).exec(parameters)?.[1] ?? 0);
    return { name, remaining: value("r"), resetSeconds: value("t") };
  });
}

/** Aborts a request when the caller does, or when nothing has arrived for too long. */
export class Watchdog {
  readonly #controller = new AbortController();
  readonly signal: AbortSignal;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(signal: AbortSignal | undefined) {
    this.signal = signal ? AbortSignal.any([signal, this.#controller.signal]) : this.#controller.signal;
  }

  start(ms: number): void {
    this.stop();
    this.#timer = setTimeout(() => this.abort(`nothing received for ${ms} ms`), ms);
  }

  stop(): void {
    clearTimeout(this.#timer);
  }

  abort(reason: string): void {
    this.stop();
    this.#controller.abort(new Error(reason));
  }
}

export async function sleep(ms: number, signal: AbortSignal | undefined): Promise<void> {
  signal?.throwIfAborted();
  let onAbort = () => {};
  let timer: ReturnType<typeof setTimeout> | undefined;
  try {
    await new Promise<void>((resolve, reject) => {
      timer = setTimeout(resolve, ms);
      onAbort = () => reject(signal?.reason);
      signal?.addEventListener("abort", onAbort);
    });
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener("abort", onAbort);
  }
}
