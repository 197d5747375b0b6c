// Asks the API for what a component shows, and asks again when that may help.
import { useEffect, useState } from "preact/hooks";
import { useCell } from "../app/signal.ts";
import { type Answer, type Outcome, send } from "./client.ts";
import { connected } from "./connection.ts";
import type { Failure } from "./failure.ts";
import { keyState } from "./key.ts";
import { type ApiRequest, identityOf } from "./request.ts";

export type Asked = {
  /** The last good answer; that of the request before while this one is under way. */
  readonly answer: Answer | undefined;
  readonly failure: Failure | undefined;
  readonly loading: boolean;
  /** Asks again, now. */
  readonly again: () => void;
};

type Known = { readonly identity: string; readonly answer?: Answer; readonly failure?: Failure };

/** The answer to a request; undefined asks nothing. */
export function useAnswer(request: ApiRequest | undefined): Asked {
  const { key } = useCell(keyState);
  const [round, setRound] = useState(0);
  const identity = request === undefined ? "" : `${identityOf(request)} ${key} ${round}`;
  const [known, setKnown] = useState<Known>({ identity: "" });
  useEffect(() => {
    if (request === undefined) return;
    const aborter = new AbortController();
    void sendPatiently(request, aborter.signal, (outcome) =>
      setKnown(
        (before) => ({ ...("failure" in outcome ? before : {}), failure: undefined, ...outcome, identity }) as Known,
      ),
    );
    return () => aborter.abort();
  }, [identity]);
  return {
    answer: request === undefined ? undefined : known.answer,
    failure: known.identity === identity ? known.failure : undefined,
    loading: request !== undefined && known.identity !== identity,
    again: () => setRound((count) => count + 1),
  };
}

/** Tells every outcome. After one that waiting can mend, waits and sends again, until it is answered or aborted. */
export async function sendPatiently(
  request: ApiRequest,
  signal: AbortSignal,
  tell: (outcome: Outcome) => void,
): Promise<void> {
  for (;;) {
    const outcome = await send(request, signal);
    if (signal.aborted) return;
    tell(outcome);
    if (!("failure" in outcome)) return;
    const { kind, retryAfter = 5 } = outcome.failure;
    if (kind === "away") await connected(signal);
    else if (kind === "limited") await new Promise((resolve) => setTimeout(resolve, retryAfter * 1000));
    else return;
    if (signal.aborted) return;
  }
}
