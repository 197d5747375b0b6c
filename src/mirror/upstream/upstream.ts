// The upstream: sends GET requests within the budget and retries each until it succeeds or is rejected permanently.

import { retryAfterMs } from "../../core/retry-after.ts";
import type { Clock } from "../../lease/clock.ts";
import type { Budget } from "./request-budget.ts";
import { readText } from "./response-body.ts";

/** Where the token is sent; `auto` tries the header, which stays out of access logs, and falls back to the query. */
export type TokenLocation = "auto" | "header" | "query";

export type Parameters = readonly (readonly [name: string, value: string])[];

type UpstreamRequest = {
  readonly path: string;
  readonly parameters: Parameters;
  /** What is wrong with the shape of the body; undefined when it is valid. */
  readonly check: (body: unknown) => string | undefined;
  /** Sends the token in the header only, whatever the setting, and learns nothing about the other paths from it. */
  readonly headerOnly?: boolean;
  /** Attempts, if not as many as usual. */
  readonly attempts?: number;
  /** The part of the mirror that sends it, for `onRetry`. */
  readonly part?: string;
};

export type UpstreamResponse = {
  readonly body: unknown;
  /** The upstream's `Date` in Unix seconds, capped at the local time; the local time when it is missing. */
  readonly date: number;
  /** Parameters of the next page, when the response links to it. */
  readonly next?: Parameters;
};

export type Refused = { readonly refused: { readonly status: number; readonly detail: string } };

/** All attempts of a request have failed. */
export class RetriesExhaustedError extends Error {
  /** Of the last response; undefined if there was none. */
  readonly status: number | undefined;

  constructor(message: string, status: number | undefined) {
    super(message);
    this.status = status;
  }
}

/** The mirror was stopped. */
export class StoppedError extends Error {}

export type Upstream = {
  request(request: UpstreamRequest): Promise<UpstreamResponse | Refused>;
  readonly base: string;
};

export type UpstreamOptions = {
  readonly base: URL;
  readonly token: string;
  readonly tokenIn: TokenLocation;
  readonly budget: Budget;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** Attempts per request. */
  readonly attempts: number;
  readonly timeoutMs?: number;
  /** Delay after the first failure; doubles with each further one. */
  readonly retryMs?: number;
  /** Called for transient failures before they are retried. */
  readonly onRetry: (text: string, retry: Retry) => void;
};

type Retry = {
  readonly part: string | undefined;
  /** Time until the next attempt. */
  readonly delayMs: number;
};

const maxDelayMs = 60_000;
/** A longer Retry-After is cut to this. */
const maxRetryAfterMs = 3_600_000;
const maxRedirects = 3;

type TransientFailure = {
  readonly failure: string;
  /** Of the response, if there was one. */
  readonly status?: number;
  readonly afterMs?: number;
};

type Attempt = UpstreamResponse | Refused | TransientFailure;

/** How a path is requested: upstreams differ in where they accept the token and in trailing slashes. */
type Variant = { readonly inHeader: boolean; readonly slash: boolean };

export function openUpstream(options: UpstreamOptions): Upstream {
  const { base, tokenIn } = options;
  /** By path; what one path accepts or rejects is no more than a first guess for the others. */
  const accepted = new Map<string, Variant>();
  let inHeader = tokenIn !== "query";

  const request = async (wanted: UpstreamRequest): Promise<UpstreamResponse | Refused> => {
    if (wanted.headerOnly) return retried(options, wanted, { inHeader: true, slash: false });
    const known = accepted.get(wanted.path);
    let variant = known ?? { inHeader, slash: false };
    for (let moved = false; ; ) {
      const result = await retried(options, wanted, variant);
      if (!("refused" in result)) {
        accepted.set(wanted.path, variant);
        inHeader = variant.inHeader;
        return result;
      }
      const { status } = result.refused;
      if (known === undefined && status === 401 && tokenIn === "auto" && !moved) {
        // The interface defines the token in the query; not every upstream also accepts the header.
        variant = { ...variant, inHeader: !variant.inHeader };
        moved = true;
      } else if (known === undefined && status === 404 && !variant.slash) variant = { ...variant, slash: true };
      else return result;
    }
  };

  return { base: base.href, request };
}

/** Sends a request until it succeeds, is rejected, or has no attempts left. */
async function retried(
  options: UpstreamOptions,
  wanted: UpstreamRequest,
  { inHeader, slash }: Variant,
): Promise<UpstreamResponse | Refused> {
  const { base, signal, timeoutMs = 30_000, retryMs = 200 } = options;
  const { attempts = options.attempts, part } = wanted;
  const url = new URL(`${base.pathname.replace(/\/+$/, "")}${wanted.path}${slash ? "/" : ""}`, base);
  url.search = queryString(wanted.parameters);
  for (let failures = 1; ; failures++) {
    // Each retry gets more time: a large page may be slow over a slow connection.
    const limitMs = timeoutMs * 2 ** Math.min(failures - 1, 3);
    const result = await attempt(options, wanted, url, { inHeader, limitMs }).catch(
      (error: unknown): TransientFailure => {
        if (signal.aborted) throw new StoppedError();
        return { failure: describeError(error, limitMs) };
      },
    );
    if (!("failure" in result)) return result;
    const text = redactor(options.token)(`${wanted.path}: ${result.failure}`);
    if (failures >= attempts)
      throw new RetriesExhaustedError(`${text}; gave up after ${failures} attempts`, result.status);
    const delayMs = retryDelay(retryMs * 2 ** (failures - 1), result);
    // Only powers of two are reported: a night without a connection must not fill the log.
    if (Number.isInteger(Math.log2(failures))) options.onRetry(`${text}; attempt ${failures}`, { part, delayMs });
    await backOff(options, delayMs, result);
  }
}

const redactor =
  (token: string) =>
  (text: string): string =>
    text.replaceAll(token, "…").replaceAll(encodeURIComponent(token), "…");

/** Exponential backoff with jitter, and at least as long as the upstream requires. */
function retryDelay(delayMs: number, { afterMs = 0 }: TransientFailure): number {
  const jittered = Math.min(delayMs, maxDelayMs) * (0.5 + Math.random() / 2);
  return Math.max(jittered, Math.min(afterMs, maxRetryAfterMs));
}

async function backOff(
  { budget, clock, signal }: UpstreamOptions,
  delayMs: number,
  { status }: TransientFailure,
): Promise<void> {
  // Rate limits usually apply to the key. Not for long, though: this one may be of a single list.
  if (status === 429) budget.pause(Math.min(delayMs, maxDelayMs));
  await clock.sleep(delayMs, signal);
  if (signal.aborted) throw new StoppedError();
}

type Sending = { readonly inHeader: boolean; readonly limitMs: number };

/** One attempt, redirects on the same host included. */
async function attempt(
  options: UpstreamOptions,
  request: UpstreamRequest,
  first: URL,
  sending: Sending,
): Promise<Attempt> {
  let url = first;
  for (let hop = 0; ; hop++) {
    if (!(await options.budget.acquire(options.signal))) throw new StoppedError();
    const response = await send(options, new URL(url), sending);
    const target = redirectTarget(response, url);
    if (target === undefined) return await interpret(options, request, url, response);
    await response.body?.cancel();
    if (target.origin !== url.origin || hop >= maxRedirects) {
      const where = hop >= maxRedirects ? "too many times" : `to another host, ${target.origin}, which is not followed`;
      return { refused: { status: response.status, detail: `it redirects ${where}` } };
    }
    url = target;
  }
}

function send({ token, signal }: UpstreamOptions, url: URL, { inHeader, limitMs }: Sending): Promise<Response> {
  if (!inHeader) url.search += `${url.search === "" ? "?" : "&"}token=${encodeURIComponent(token)}`;
  return fetch(url, {
    redirect: "manual",
    headers: { accept: "application/json", ...(inHeader ? { authorization: `Bearer ${token}` } : {}) },
    signal: AbortSignal.any([signal, AbortSignal.timeout(limitMs)]),
  });
}

async function interpret(
  { clock, token }: UpstreamOptions,
  request: UpstreamRequest,
  url: URL,
  response: Response,
): Promise<Attempt> {
  const { status, headers } = response;
  const after = retryAfterMs(headers.get("retry-after"), clock.now());
  if (isTransient(status)) {
    await response.body?.cancel();
    return { failure: `status ${status}`, status, ...(after === undefined ? {} : { afterMs: after }) };
  }
  const read = await readText(response);
  if ("problem" in read) return status === 200 ? { failure: read.problem, status } : refusal(status, "");
  if (status !== 200) return refusal(status, redactor(token)(problemDetail(read.text)));
  const parsed = parse(read.text, headers.get("content-type") ?? "");
  if ("failure" in parsed) return { ...parsed, status };
  const wrong = request.check(parsed.body);
  if (wrong !== undefined) return { failure: wrong, status };
  const next = nextPage(headers.get("link"), url);
  const date = Math.floor(Math.min(Date.parse(headers.get("date") ?? "") || clock.now(), clock.now()) / 1000);
  return { body: parsed.body, date, ...(next === undefined ? {} : { next }) };
}

/** Statuses worth a retry. */
const isTransient = (status: number): boolean => status === 408 || status === 425 || status === 429 || status >= 500;

const refusal = (status: number, detail: string): Refused => ({
  refused: { status, detail: detail === "" ? `status ${status}` : detail },
});

/** Leaves brackets unencoded, as the interface writes them. */
function queryString(parameters: Parameters): string {
  const encode = (text: string) => encodeURIComponent(text).replaceAll("%5B", "[").replaceAll("%5D", "]");
  return parameters.map(([name, value]) => `${encode(name)}=${encodeURIComponent(value)}`).join("&");
}

function redirectTarget({ status, headers }: Response, url: URL): URL | undefined {
  const location = headers.get("location");
  return status >= 300 && status < 400 && location !== null && URL.canParse(location, url)
    ? new URL(location, url)
    : undefined;
}

/** Parameters of the `rel="next"` link; links to another host or path are ignored. */
export function nextPage(link: string | null, url: URL): Parameters | undefined {
  const [, target] = /<([^>]*)>\s*;[^,]*\brel="?next"?(?:[;,\s]|$)/i.exec(link ?? "") ?? [];
  if (target === undefined || !URL.canParse(target, url)) return undefined;
  const next = new URL(target, url);
  if (next.origin !== url.origin || next.pathname !== url.pathname) return undefined;
  return [...next.searchParams].filter(([name]) => name !== "token");
}

function parse(text: string, type: string): { body: unknown } | TransientFailure {
  try {
    return { body: JSON.parse(text) };
  } catch {
    const kind = /xml/i.test(type) || /^\s*<(\?xml|\w)/.test(text) ? "XML or HTML instead of JSON" : "not valid JSON";
    return { failure: `the response is ${kind} (${text.length} characters)` };
  }
}

/** The reason in an error response, shortened to one line. */
function problemDetail(text: string): string {
  let reason: unknown = text;
  try {
    const { detail, title, message, error } = JSON.parse(text) as Record<string, unknown>;
    reason = detail ?? message ?? title ?? error ?? text;
  } catch {}
  return String(typeof reason === "string" ? reason : JSON.stringify(reason))
    .replace(/[\s\p{Cc}]+/gu, " ")
    .trim()
    .slice(0, 200);
}

function describeError(error: unknown, timeoutMs: number): string {
  const { name, message, cause } = error as Error & { cause?: { code?: string; message?: string } };
  if (name === "TimeoutError") return `no response within ${timeoutMs / 1000} s`;
  return `the connection failed (${cause?.code ?? cause?.message ?? message})`;
}
