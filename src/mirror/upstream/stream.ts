// The upstream's stream of changes, where it has one. It only announces that there is something to read: what is read, and
// from which position, doesn't depend on it. A stream that is missing, cut, or wrong costs time, never a record.
import type { Resource } from "../../core/catalog/resource.ts";
import { type EventBlock, eventBlocks } from "../../core/event-stream.ts";
import { combinedPath } from "../../core/query/combined-stream.ts";
import { retryAfterMs } from "../../core/retry-after.ts";
import type { UpstreamOptions } from "./upstream.ts";

type StreamOptions = Pick<UpstreamOptions, "base" | "token" | "tokenIn" | "budget" | "clock" | "signal"> & {
  /** Undefined: all that the key may read. */
  readonly resources: readonly Resource[] | undefined;
  /** Called with the name of a resource; without one, anything may have changed. */
  readonly onChange: (resource?: string) => void;
  /** Whether the stream is open. */
  readonly onState: (isOpen: boolean) => void;
};

/** An upstream that has no stream, or denies it to this key, is tried again after this long. */
const absentMs = 3_600_000;

/** Delay after the first failure, and after a stream that has ended; doubles with each further failure. */
const retryMs = 1000;
const maxRetryMs = 60_000;

/** A stream without even a heartbeat for this long is dead. */
const silenceMs = 60_000;

/** How a stream ended, or why there was none. */
type Ending = { readonly wasOpen: boolean; readonly afterMs?: number | undefined };

/** Until stopped. */
export async function followStream(options: StreamOptions): Promise<void> {
  const { clock, signal } = options;
  for (let failures = 0; !signal.aborted; ) {
    const { wasOpen, afterMs } = await readStream(options);
    if (wasOpen) options.onState(false);
    failures = wasOpen ? 0 : failures + 1;
    const delay = Math.min(retryMs * 2 ** Math.min(failures, 16), maxRetryMs) * (0.5 + Math.random() / 2);
    await clock.sleep(afterMs ?? delay, signal);
  }
}

async function readStream(options: StreamOptions): Promise<Ending> {
  const { budget, clock, signal, onChange, onState } = options;
  if (!(await budget.acquire(signal))) return { wasOpen: false };
  const dead = new AbortController();
  const silence = setTimeout(() => dead.abort(), silenceMs).unref();
  let wasOpen = false;
  try {
    const response = await connect(options, AbortSignal.any([signal, dead.signal]));
    const { status, headers, body } = response;
    if (status !== 200 || body === null || !headers.get("content-type")?.startsWith("text/event-stream")) {
      await body?.cancel();
      const isTransient = status === 408 || status === 429 || status >= 500;
      return { wasOpen, afterMs: isTransient ? retryAfterMs(headers.get("retry-after"), clock.now()) : absentMs };
    }
    wasOpen = true;
    onState(true);
    // Whatever changed while there was no stream.
    onChange();
    for await (const block of eventBlocks(refreshing(body.pipeThrough(new TextDecoderStream()), silence)))
      if (block.data !== undefined) onChange(resourceOf(block));
    return { wasOpen };
  } catch {
    return { wasOpen };
  } finally {
    clearTimeout(silence);
  }
}

function connect({ base, token, tokenIn, resources }: StreamOptions, signal: AbortSignal): Promise<Response> {
  const url = new URL(`${base.pathname.replace(/\/+$/, "")}${combinedPath}`, base);
  if (resources !== undefined) url.searchParams.set("resources", resources.map(({ name }) => name).join(","));
  if (tokenIn === "query") url.searchParams.set("token", token);
  const authorization = tokenIn === "query" ? {} : { authorization: `Bearer ${token}` };
  return fetch(url, { redirect: "manual", headers: { accept: "text/event-stream", ...authorization }, signal });
}

/** Anything that arrives restarts the timer. */
async function* refreshing(chunks: AsyncIterable<string>, timer: NodeJS.Timeout): AsyncGenerator<string> {
  for await (const chunk of chunks) {
    timer.refresh();
    yield chunk;
  }
}

/** Undefined if the event doesn't name a resource. */
function resourceOf({ data = "" }: EventBlock): string | undefined {
  return /"resource":"([a-z-]+)"/.exec(data.slice(0, 500))?.[1];
}
