// The upstream: one GET, asked within the budget until it is answered well or refused for good.

import { retryAfter } from "../../core/retry-after.ts";
import type { Clock } from "../clock.ts";
import type { Budget } from "./request-budget.ts";
import { readBody } from "./response-body.ts";

/** Where the key is sent; `auto` begins with the header, which stays out of logs, and learns. */
export type TokenPlace = "auto" | "header" | "query";

export type Parameters = readonly (readonly [name: string, value: string])[];

export type Request = {
  readonly path: string;
  readonly parameters: Parameters;
  /** What is wrong with the shape of the body; undefined when it is right. */
  readonly check: (body: unknown) => string | undefined;
  /** The key may stand in the header only. */
  readonly headerOnly?: boolean;
};

export type Answer = {
  readonly body: unknown;
  /** The upstream's clock, Unix seconds; ours when it does not say, and never later than ours. */
  readonly date: number;
  /** Parameters of the next page, where the answer links to it. */
  readonly next?: Parameters;
};

export type Refused = { readonly refused: { readonly status: number; readonly detail: string } };

/** The one reason to give up on a request that was not refused. */
export class GaveUpError extends Error {}

/** The mirror has been told to stop. */
export class StoppedError extends Error {}

export type Upstream = {
  ask(request: Request): Promise<Answer | Refused>;
  readonly base: string;
};

export type UpstreamOptions = {
  readonly base: URL;
  readonly token: string;
  readonly tokenIn: TokenPlace;
  readonly budget: Budget;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** Attempts at one request before it is given up. */
  readonly attempts: number;
  readonly timeoutMs?: number;
  /** The pause after the first failure; it doubles with each one after. */
  readonly retryMs?: number;
  /** Something went wrong that is waited out. */
  readonly onTrouble: (text: string) => void;
};

const longestPauseMs = 60_000;
/** A longer Retry-After is asked again after this. */
const longestHoldMs = 3_600_000;
const mostRedirects = 3;

type Trouble = {
  readonly trouble: string;
  readonly afterMs?: number /** The whole upstream asks for quiet. */;
  readonly quiet?: boolean;
};

export function upstream(options: UpstreamOptions): Upstream {
  const { base, token, budget, clock, signal, attempts, timeoutMs = 30_000, retryMs = 200 } = options;
  let place: "header" | "query" = options.tokenIn === "query" ? "query" : "header";
  let placeIsKnown = options.tokenIn !== "auto";
  const hide = (text: string): string => text.replaceAll(token, "…").replaceAll(encodeURIComponent(token), "…");

  const send = async (url: URL, inHeader: boolean, limitMs: number): Promise<Response> => {
    if (!inHeader) url.search += `${url.search === "" ? "?" : "&"}token=${encodeURIComponent(token)}`;
    return fetch(url, {
      redirect: "manual",
      headers: { accept: "application/json", ...(inHeader ? { authorization: `Bearer ${token}` } : {}) },
      signal: AbortSignal.any([signal, AbortSignal.timeout(limitMs)]),
    });
  };

  /** One attempt: an answer, a refusal, or trouble that may pass. */
  const attempt = async (request: Request, first: URL, limitMs: number): Promise<Answer | Refused | Trouble> => {
    let url = first;
    for (let hop = 0; ; hop++) {
      if (!(await budget.take(signal))) throw new StoppedError();
      const response = await send(new URL(url), request.headerOnly === true || place === "header", limitMs);
      const target = redirectOf(response, url);
      if (target === undefined) return await judge(request, url, response);
      await response.body?.cancel();
      if (target.origin !== url.origin || hop >= mostRedirects) {
        const where =
          hop >= mostRedirects ? "too many times" : `to another host, ${target.origin}, which is not followed`;
        return { refused: { status: response.status, detail: `it redirects ${where}` } };
      }
      url = target;
    }
  };

  const judge = async (request: Request, url: URL, response: Response): Promise<Answer | Refused | Trouble> => {
    const { status, headers } = response;
    const after = retryAfter(headers.get("retry-after"), clock.now());
    if (isPassing(status)) {
      await response.body?.cancel();
      const quiet = status === 429 || after !== undefined;
      return { trouble: `status ${status}`, quiet, ...(after === undefined ? {} : { afterMs: after }) };
    }
    const read = await readBody(response);
    if ("problem" in read) return status === 200 ? { trouble: read.problem } : refusal(status, "");
    if (status !== 200) return refusal(status, hide(detailOf(read.text)));
    const parsed = parse(read.text, headers.get("content-type") ?? "");
    if ("trouble" in parsed) return parsed;
    const wrong = request.check(parsed.body);
    if (wrong !== undefined) return { trouble: wrong };
    const next = nextOf(headers.get("link"), url);
    const date = Math.floor(Math.min(Date.parse(headers.get("date") ?? "") || clock.now(), clock.now()) / 1000);
    return { body: parsed.body, date, ...(next === undefined ? {} : { next }) };
  };

  return {
    base: base.href,
    ask: async (request) => {
      const url = new URL(base.pathname.replace(/\/+$/, "") + request.path, base);
      url.search = queryOf(request.parameters);
      for (let failures = 0; ; ) {
        // What was too slow is given more time: a large page may take long on a thin line.
        const limitMs = timeoutMs * 2 ** Math.min(failures, 3);
        const result = await attempt(request, url, limitMs).catch((error: unknown): Trouble => {
          if (signal.aborted) throw new StoppedError();
          return { trouble: wordsFor(error, limitMs) };
        });
        if (!("trouble" in result)) {
          const unknown = "refused" in result && result.refused.status === 401 && !request.headerOnly;
          if (unknown && !placeIsKnown && place === "header") {
            // The interface has the key in the query; the header is a courtesy that not every upstream shows.
            place = "query";
            continue;
          }
          if (!unknown) placeIsKnown = true;
          return result;
        }
        failures++;
        const what = hide(`${request.path}: ${result.trouble}`);
        if (failures >= attempts) throw new GaveUpError(`${what}; given up after ${failures} attempts`);
        // A night of silence is not worth a thousand lines.
        if (Number.isInteger(Math.log2(failures))) options.onTrouble(`${what}; attempt ${failures}`);
        const longest = Math.min(retryMs * 2 ** (failures - 1), longestPauseMs);
        const pause = Math.max(longest * (0.5 + Math.random() / 2), Math.min(result.afterMs ?? 0, longestHoldMs));
        if (result.quiet) budget.hold(pause);
        await clock.sleep(pause, signal);
        if (signal.aborted) throw new StoppedError();
      }
    },
  };
}

/** Statuses that may be another one soon. */
const isPassing = (status: number): boolean => status === 408 || status === 425 || status === 429 || status >= 500;

const refusal = (status: number, detail: string): Refused => ({
  refused: { status, detail: detail === "" ? `status ${status}` : detail },
});

/** Brackets stay as the interface writes them. */
function queryOf(parameters: Parameters): string {
  const encode = (text: string) => encodeURIComponent(text).replaceAll("%5B", "[").replaceAll("%5D", "]");
  return parameters.map(([name, value]) => `${encode(name)}=${encodeURIComponent(value)}`).join("&");
}

function redirectOf({ status, headers }: Response, url: URL): URL | undefined {
  const location = headers.get("location");
  return status >= 300 && status < 400 && location !== null && URL.canParse(location, url)
    ? new URL(location, url)
    : undefined;
}

/** Parameters of the page that `Link` names as next: of the same path on the same host, or none. */
export function nextOf(link: string | null, url: URL): Parameters | undefined {
  const [, target] = /<([^>]*)>\s*;[^,]*\brel="?next"?(?:[;,\s]|$)/i.exec(link ?? "") ?? [];
  if (target === undefined || !URL.canParse(target, url)) return undefined;
  const next = new URL(target, url);
  if (next.origin !== url.origin || next.pathname !== url.pathname) return undefined;
  return [...next.searchParams].filter(([name]) => name !== "token");
}

function parse(text: string, type: string): { body: unknown } | Trouble {
  try {
    return { body: JSON.parse(text) };
  } catch {
    const kind = /xml/i.test(type) || /^\s*<(\?xml|\w)/.test(text) ? "XML or HTML instead of JSON" : "no valid JSON";
    return { trouble: `the answer is ${kind} (${text.length} characters)` };
  }
}

/** What a refusal says of itself, short and on one line. */
function detailOf(text: string): string {
  let said: unknown = text;
  try {
    const { detail, title, message, error } = JSON.parse(text) as Record<string, unknown>;
    said = detail ?? message ?? title ?? error ?? text;
  } catch {}
  return String(typeof said === "string" ? said : JSON.stringify(said))
    .replace(/[\s\p{Cc}]+/gu, " ")
    .trim()
    .slice(0, 200);
}

function wordsFor(error: unknown, timeoutMs: number): string {
  const { name, message, cause } = error as Error & { cause?: { code?: string; message?: string } };
  if (name === "TimeoutError") return `no answer within ${timeoutMs / 1000} s`;
  return `the connection failed (${cause?.code ?? cause?.message ?? message})`;
}
