// Events of a server: reads its stream, and reconnects with the last position when it is cut.
import { setTimeout } from "node:timers/promises";
import { eventBlocks } from "../../core/event-stream.ts";
import { streamOf } from "../../core/query/stream.ts";
import { retryAfterMs } from "../../core/retry-after.ts";
import { UserError } from "../../core/user-error.ts";
import { ignoredMessage, type TailEvent, type TailRequest } from "./tail-event.ts";

type ServerAddress = { readonly base: URL; readonly token: string };

/** A server sends a heartbeat every 15 seconds. */
const maxSilenceMs = 45_000;

const maxDelayMs = 30_000;

/** The stream can't be read now. */
class Interrupted extends Error {
  readonly afterMs: number | undefined;

  constructor(message: string, afterMs?: number) {
    super(message);
    this.afterMs = afterMs;
  }
}

/** Fails if the first connection does, since the URL may be mistyped; later, only if the server rejects the request. */
export async function* serverEvents(server: ServerAddress, request: TailRequest): AsyncGenerator<TailEvent> {
  const { signal, report } = request;
  const { base } = server;
  const url = new URL(`${base.pathname.replace(/\/+$/, "")}${streamOf(request.resource).path}`, base);
  url.search = request.query;
  let position = request.since;
  let [retryMs, failures, hasConnected] = [1000, 0, false];
  while (!signal.aborted) {
    try {
      for await (const { id, data, retry } of blocksOf(url, server.token, position, request)) {
        [failures, hasConnected] = [0, true];
        position = id ?? position;
        retryMs = retry ?? retryMs;
        if (data !== undefined) yield { position: position ?? "", json: data };
      }
    } catch (error) {
      if (signal.aborted) return;
      if (!(error instanceof Interrupted)) throw error;
      if (!hasConnected) throw new UserError(error.message);
      // Only powers of two are reported: a night without a connection must not fill the log.
      if (Number.isInteger(Math.log2(++failures))) report(`${error.message}; reconnecting`);
      await pause(error.afterMs ?? Math.min(retryMs * 2 ** (failures - 1), maxDelayMs), signal);
      continue;
    }
    await pause(retryMs, signal);
  }
}

const pause = (ms: number, signal: AbortSignal): Promise<void> => setTimeout(ms, undefined, { signal }).catch(() => {});

async function* blocksOf(url: URL, token: string, position: string | undefined, { signal, report }: TailRequest) {
  const cut = new AbortController();
  const silence = globalThis.setTimeout(() => cut.abort(), maxSilenceMs);
  try {
    const response = await fetch(url, {
      headers: {
        accept: "text/event-stream, application/problem+json",
        authorization: `Bearer ${token}`,
        ...(position === undefined ? {} : { "last-event-id": position }),
      },
      signal: AbortSignal.any([signal, cut.signal]),
    });
    await verify(response);
    const ignored = response.headers.get("x-ignored-parameters");
    if (ignored !== null) report(ignoredMessage(ignored));
    async function* texts() {
      const decoder = new TextDecoder();
      for await (const chunk of response.body ?? []) {
        silence.refresh();
        yield decoder.decode(chunk, { stream: true });
      }
    }
    yield* eventBlocks(texts());
  } catch (error) {
    if (error instanceof UserError || error instanceof Interrupted) throw error;
    const { message, cause } = error as Error & { cause?: { code?: string; message?: string } };
    const why = cut.signal.aborted
      ? `nothing received for ${maxSilenceMs / 1000} s`
      : (cause?.code ?? cause?.message ?? message);
    throw new Interrupted(`${url.origin}: the connection failed (${why})`);
  } finally {
    clearTimeout(silence);
    cut.abort();
  }
}

/** Throws an Interrupted if the same request may succeed later, and a UserError if it won't. */
async function verify(response: Response): Promise<void> {
  const { status, headers } = response;
  const type = headers.get("content-type") ?? "";
  if (status === 200 && type.startsWith("text/event-stream")) return;
  const origin = new URL(response.url).origin;
  if (status === 200) throw new UserError(`${origin}: expected a stream of events, got ${type || "no content type"}`);
  const text = `${origin}: status ${status}: ${problemDetail(await response.text())}`;
  if (status === 408 || status === 429 || status >= 500)
    throw new Interrupted(text, retryAfterMs(headers.get("retry-after"), Date.now()));
  throw new UserError(text);
}

function problemDetail(text: string): string {
  try {
    const { detail, title, errors = [] } = JSON.parse(text);
    const reasons = errors.map((each: Record<string, string>) => `${each.parameter}: expected ${each.expected}`);
    return [detail ?? title, ...reasons].join("; ");
  } catch {
    return text.slice(0, 200).trim();
  }
}
