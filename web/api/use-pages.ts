// A list of any length, page after page: the first by number, each that follows by the cursor of the one before, so that
// nothing is left out or shown twice while records come and go.
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { currentPlace } from "../app/location.ts";
import { useCell } from "../app/signal.ts";
import { type Answer, recordsOf } from "./client.ts";
import type { Failure } from "./failure.ts";
import { keyState } from "./key.ts";
import { type ApiRequest, identityOf, withParams } from "./request.ts";
import { sendPatiently } from "./use-response.ts";

export type Pages<R> = {
  readonly records: readonly R[];
  /** The answer that began the list. */
  readonly first: Answer | undefined;
  readonly pages: number;
  readonly done: boolean;
  readonly loading: boolean;
  readonly failure: Failure | undefined;
  /** Asks for one page more; while one is under way, nothing. */
  readonly more: () => void;
  /** Begins the list anew. */
  readonly again: () => void;
};

type Gathered = {
  readonly records: readonly unknown[];
  readonly first: Answer | undefined;
  readonly pages: number;
  readonly next: string | undefined;
  readonly done: boolean;
  /** When the list was begun, in milliseconds. */
  readonly at: number;
};

const nothing: Gathered = { records: [], first: undefined, pages: 0, next: undefined, done: false, at: 0 };

/** Lists that were shown last, so that going back shows them as they were left. */
const shown = new Map<string, Gathered>();
const mostShown = 12;

function remember(identity: string, gathered: Gathered): void {
  shown.delete(identity);
  shown.set(identity, gathered);
  for (const oldest of shown.keys()) {
    if (shown.size <= mostShown) break;
    shown.delete(oldest);
  }
}

/** A list that is asked for again after so long is begun anew, unless one goes back to it. */
const freshMs = 30_000;

/** The list that a request begins; `from` is the number of its first page, as the address has it. */
export function usePages<R>(request: ApiRequest | undefined, from = ""): Pages<R> {
  const { key } = useCell(keyState);
  const identity = request === undefined ? "" : `${identityOf(request)} ${key} ${from}`;
  const [, redraw] = useState({});
  const [wanted, setWanted] = useState({ identity, pages: 1 });
  const failure = useRef<Failure | undefined>(undefined);
  useMemo(() => {
    const { at = 0 } = shown.get(identity) ?? {};
    if (!currentPlace().returned && Date.now() - at > freshMs) shown.delete(identity);
  }, [identity]);
  const gathered = shown.get(identity) ?? nothing;
  const pagesWanted = wanted.identity === identity ? wanted.pages : 1;
  const isShort = request !== undefined && gathered.pages < pagesWanted && !gathered.done;
  useEffect(() => {
    if (request === undefined || !isShort) return;
    const aborter = new AbortController();
    const { next } = gathered;
    const asked = withParams(request, next === undefined ? { page: from === "" ? undefined : from } : { cursor: next });
    void sendPatiently(asked, aborter.signal, (outcome) => {
      failure.current = "failure" in outcome ? outcome.failure : undefined;
      if ("answer" in outcome) remember(identity, joined(gathered, outcome.answer));
      redraw({});
    });
    return () => {
      aborter.abort();
      failure.current = undefined;
    };
  }, [identity, isShort, gathered.pages]);
  return {
    records: gathered.records as readonly R[],
    first: gathered.first,
    pages: gathered.pages,
    done: gathered.done,
    loading: isShort && failure.current === undefined,
    failure: failure.current,
    more: () => {
      if (!isShort && !gathered.done) setWanted({ identity, pages: gathered.pages + 1 });
    },
    again: () => {
      shown.delete(identity);
      failure.current = undefined;
      setWanted({ identity, pages: 1 });
      redraw({});
    },
  };
}

function joined(gathered: Gathered, answer: Answer): Gathered {
  return {
    records: [...gathered.records, ...recordsOf(answer.body)],
    first: gathered.first ?? answer,
    pages: gathered.pages + 1,
    next: answer.next,
    done: answer.next === undefined,
    at: gathered.pages === 0 ? Date.now() : gathered.at,
  };
}
