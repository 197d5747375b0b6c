// Streams of changes: server-sent events over fetch, resumed where they were interrupted.
import { BellwireError } from "./error.ts";
import type { FollowOptions } from "./list.ts";
import { toTarget } from "./parameters.ts";
import { sleep, type Transport, type Watchdog } from "./transport.ts";

export type Change<R> = {
  readonly id: R extends { id: infer I } ? I : string | number;
  readonly resource: string;
  /** When it changed on the server, Unix seconds. */
  readonly at: number;
  /** Where to continue after this change, as `since`; absent while polling. */
  readonly position?: string;
} & (
  | {
      /** While polling, created and updated records can't be distinguished and are all `updated`. */
      readonly action: "created" | "updated";
      readonly record: R;
    }
  | { readonly action: "removed"; readonly record?: never }
);

/** The server sends a heartbeat every 15 seconds. */
const silenceMs = 45_000;
const mediaType = "text/event-stream";

type Opened = { readonly body: ReadableStream<Uint8Array>; readonly watchdog: Watchdog };
type Event = { id?: string; data?: string; retry?: number };

/** Whether the server has no streams, as opposed to a request that failed. */
export const isWithoutStream = (error: unknown): boolean =>
  error instanceof BellwireError && [404, 405, 406, 501].includes(error.status);

export async function* stream<R>(
  transport: Transport,
  path: string,
  query: ReadonlyMap<string, string>,
  { since, signal }: FollowOptions,
): AsyncGenerator<Change<R>, void> {
  const target = toTarget(path, new Map([...query, ...(since === undefined ? [] : [["since", since] as const])]));
  let position: string | undefined;
  let retryMs = 1000;
  for (;;) {
    const { body, watchdog } = await transport.request(target, {
      headers: { accept: mediaType, ...(position === undefined ? {} : { "last-event-id": position }) },
      signal,
      // Once it has worked, a stream outlasts any outage.
      ...(position === undefined ? {} : { retries: Number.POSITIVE_INFINITY }),
      read: openBody,
    });
    try {
      for await (const { id, data, retry } of events(body, watchdog)) {
        position = id ?? position;
        retryMs = retry ?? retryMs;
        if (data !== undefined) yield { ...JSON.parse(data), position };
      }
    } catch {
      // The connection was lost.
    } finally {
      watchdog.abort("the stream was closed");
    }
    await sleep(retryMs * (0.5 + Math.random() / 2), signal);
  }
}

async function openBody({ headers, body }: Response, watchdog: Watchdog): Promise<Opened> {
  const type = headers.get("content-type") ?? "";
  if (body === null || !type.startsWith(mediaType)) {
    watchdog.abort("not a stream");
    throw new BellwireError(`expected ${mediaType}, received ${type}`, 406);
  }
  return { body, watchdog };
}

/** https://html.spec.whatwg.org/multipage/server-sent-events.html#parsing-an-event-stream */
async function* events(body: ReadableStream<Uint8Array>, watchdog: Watchdog): AsyncGenerator<Event> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let parts: string[] = [];
  let endsInReturn = false;
  let event: Event = {};
  for (;;) {
    // A slow consumer is no silence of the server.
    watchdog.start(silenceMs);
    const { done, value } = await reader.read();
    watchdog.stop();
    if (done) return;
    const text = decoder.decode(value, { stream: true });
    if (text === "") continue;
    parts.push(text);
    // A long event arrives in many chunks, which are joined once.
    if (!endsInReturn && !/[\r\n]/.test(text)) continue;
    // A line break may be cut in half.
    endsInReturn = text.endsWith("\r");
    if (endsInReturn) continue;
    const lines = parts.join("").split(/\r\n|\n|\r/);
    parts = [lines.pop() ?? ""];
    for (const line of lines) {
      if (line === "") {
        yield event;
        event = {};
      } else addLine(event, line);
    }
  }
}

function addLine(event: Event, line: string): void {
  const [, name, value = ""] = /^([^:]+)(?:: ?(.*))?$/s.exec(line) ?? [];
  if (name === "id") event.id = value;
  else if (name === "retry" && /^\d+$/.test(value)) event.retry = Number(value);
  else if (name === "data") event.data = event.data === undefined ? value : `${event.data}\n${value}`;
}
