// API client: sends requests with the user's key. Failures are values.
import { connectionLost } from "./connection.ts";
import { type Failure, failureOf, missingKey, rejectedKey, unreachable } from "./failure.ts";
import { keyState, markKeyRejected } from "./key.ts";
import { listRead } from "./live/live.ts";
import { storedResponse, storeResponse } from "./live/offline.ts";
import { type ApiRequest, urlOf } from "./request.ts";

export type ApiResponse = {
  readonly body: unknown;
  /** Cursor of the next page, if any. */
  readonly next: string | undefined;
  readonly milliseconds: number;
};

export type Outcome = { readonly response: ApiResponse } | { readonly failure: Failure };

/** The first request with a key. The others wait for it, so that an invalid key is sent once. */
let check: { readonly version: number; readonly done: Promise<void> } | undefined;

/** Sends once. The promise of an aborted request never resolves. */
export async function send(request: ApiRequest, signal: AbortSignal): Promise<Outcome> {
  const { key, version } = keyState.get();
  if (key === undefined) return { failure: missingKey };
  if (check?.version === version) {
    await check.done;
    if (signal.aborted) return new Promise(() => {});
    return isRejected(version) ? { failure: rejectedKey } : transmit(request, signal, key, version);
  }
  const { promise, resolve } = Promise.withResolvers<void>();
  check = { version, done: promise };
  signal.addEventListener("abort", () => resolve());
  const outcome = await transmit(request, signal, key, version);
  resolve();
  return outcome;
}

function isRejected(version: number): boolean {
  const state = keyState.get();
  return state.version === version && state.rejected;
}

async function transmit(request: ApiRequest, signal: AbortSignal, key: string, version: number): Promise<Outcome> {
  const started = performance.now();
  try {
    const response = await fetch(urlOf(request), {
      method: request.method ?? "GET",
      headers: {
        accept: "application/json",
        authorization: `token ${key}`,
        ...(request.body === undefined ? {} : { "content-type": "application/json" }),
      },
      ...(request.body === undefined ? {} : { body: JSON.stringify(request.body) }),
      signal,
    });
    if (!response.ok) {
      const failure = await failureOf(response);
      if (failure.kind === "key") markKeyRejected(version);
      if (failure.kind === "unavailable") connectionLost(failure.detail);
      return { failure };
    }
    const position = response.headers.get("x-stream-position");
    if (position !== null) listRead(position);
    const text = await response.text();
    const parsed = responseOf(response, text, started);
    // Not what arrives after the key was forgotten.
    if (isStorable(request) && keyState.get().version === version)
      void storeResponse(urlOf(request), key, text, response.headers);
    return { response: parsed };
  } catch {
    if (signal.aborted) return new Promise(() => {});
    connectionLost(unreachable.detail);
    const stored = isStorable(request) ? await storedResponse(urlOf(request), key) : undefined;
    if (stored === undefined || isRejected(version)) return { failure: unreachable };
    return { response: responseOf(stored, await stored.text(), started) };
  }
}

/** Lists and their records, but nothing that only operators see. */
const isStorable = ({ method = "GET", path }: ApiRequest): boolean => method === "GET" && path.startsWith("/api/");

const responseOf = (response: Response, text: string, started: number): ApiResponse => ({
  body: text === "" ? null : (JSON.parse(text) as unknown),
  next: nextCursor(response),
  milliseconds: performance.now() - started,
});

function nextCursor(response: Response): string | undefined {
  const link = /<([^>]+)>;\s*rel="?next"?/.exec(response.headers.get("link") ?? "")?.[1];
  return link === undefined ? undefined : (new URL(link, window.location.href).searchParams.get("cursor") ?? undefined);
}

/** The records of a list, which is a bare array or in an envelope. */
export function recordsOf<R>(body: unknown): readonly R[] {
  if (Array.isArray(body)) return body as R[];
  const list = typeof body === "object" && body !== null ? Object.values(body).find(Array.isArray) : undefined;
  return (list ?? []) as R[];
}
