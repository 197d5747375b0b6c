// Sends requests to the API with the key of this browser. Failures are values.
import { connectionLost } from "./connection.ts";
import { type Failure, failureOf, keyless, unreachable } from "./failure.ts";
import { keyState, refuseKey } from "./key.ts";
import { type ApiRequest, addressOf } from "./request.ts";

export type Answer = {
  readonly body: unknown;
  /** Cursor of the page after this one, where there is one. */
  readonly next: string | undefined;
  readonly milliseconds: number;
};

export type Outcome = { readonly answer: Answer } | { readonly failure: Failure };

/** Sends once. An aborted request never resolves: nobody is left to care. */
export async function send(request: ApiRequest, signal: AbortSignal): Promise<Outcome> {
  const { key } = keyState.get();
  if (key === undefined) return { failure: keyless };
  const begun = performance.now();
  try {
    const response = await fetch(addressOf(request), {
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
      if (failure.kind === "key") refuseKey(key);
      if (failure.kind === "away") connectionLost(failure.detail);
      return { failure };
    }
    const body: unknown = response.status === 204 ? null : await response.json();
    return { answer: { body, next: nextCursor(response), milliseconds: performance.now() - begun } };
  } catch {
    if (signal.aborted) return new Promise(() => {});
    connectionLost(unreachable.detail);
    return { failure: unreachable };
  }
}

function nextCursor(response: Response): string | undefined {
  const link = /<([^>]+)>;\s*rel="?next"?/.exec(response.headers.get("link") ?? "")?.[1];
  return link === undefined ? undefined : (new URL(link, response.url).searchParams.get("cursor") ?? undefined);
}

/** The records of an answer: lists are sent bare, or under the one name that holds them. */
export function recordsOf<R>(body: unknown): readonly R[] {
  if (Array.isArray(body)) return body as R[];
  const list = typeof body === "object" && body !== null ? Object.values(body).find(Array.isArray) : undefined;
  return (list ?? []) as R[];
}
