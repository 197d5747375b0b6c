// Fetches the data of a component, with retries.
import { useEffect, useState } from "preact/hooks";
import { useSignal } from "../app/signal.ts";
import { type ApiResponse, type Outcome, send } from "./client.ts";
import { untilConnected } from "./connection.ts";
import type { Failure } from "./failure.ts";
import { keyState } from "./key.ts";
import { useLive } from "./live/use-live.ts";
import { type ApiRequest, cacheKeyOf } from "./request.ts";

export type FetchResult = {
  /** The last successful response; that of the previous request while this one is in flight. */
  readonly response: ApiResponse | undefined;
  readonly failure: Failure | undefined;
  readonly loading: boolean;
  readonly refetch: () => void;
};

type Settled = { readonly cacheKey: string; readonly response?: ApiResponse; readonly failure?: Failure };

/** The response to a request; undefined sends nothing. */
export function useResponse(request: ApiRequest | undefined): FetchResult {
  const { version } = useSignal(keyState);
  const [attempt, setAttempt] = useState(0);
  const cacheKey = request === undefined ? "" : `${cacheKeyOf(request)} ${version} ${attempt}`;
  const [settled, setSettled] = useState<Settled>({ cacheKey: "" });
  useEffect(() => {
    if (request === undefined) return;
    const aborter = new AbortController();
    void sendWithRetry(request, aborter.signal, (outcome) =>
      setSettled(
        (before) => ({ ...("failure" in outcome ? before : {}), failure: undefined, ...outcome, cacheKey }) as Settled,
      ),
    );
    return () => aborter.abort();
  }, [cacheKey]);
  const loading = request !== undefined && settled.cacheKey !== cacheKey;
  const refetch = () => setAttempt((count) => count + 1);
  useLive(request, loading, refetch);
  return {
    response: request === undefined ? undefined : settled.response,
    failure: settled.cacheKey === cacheKey ? settled.failure : undefined,
    loading,
    refetch,
  };
}

/** Retries after a lost connection or a rate limit, until it succeeds or is aborted. Reports every outcome. */
export async function sendWithRetry(
  request: ApiRequest,
  signal: AbortSignal,
  onOutcome: (outcome: Outcome) => void,
): Promise<void> {
  for (;;) {
    const outcome = await send(request, signal);
    if (signal.aborted) return;
    onOutcome(outcome);
    if (!("failure" in outcome)) return;
    const { kind, retryAfter = 5 } = outcome.failure;
    if (kind === "unavailable") await untilConnected(signal);
    else if (kind === "limited") await new Promise((resolve) => setTimeout(resolve, retryAfter * 1000));
    else return;
    if (signal.aborted) return;
  }
}
