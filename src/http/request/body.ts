// Request bodies: format by headers, and chunks as they arrive, limited in size and time.
import type { IncomingHttpHeaders, IncomingMessage } from "node:http";
import { type Problem, problem } from "../../core/problem.ts";
import { bodyTypes } from "../../core/writing.ts";
import type { Compression } from "../../ingest/formats/decompress.ts";
import type { TextFormat } from "../../ingest/formats/format.ts";
import { InterruptedInputError } from "../../ingest/formats/records.ts";

export class TooLargeError extends InterruptedInputError {}
export class IdleTimeoutError extends InterruptedInputError {}

const formats: Readonly<Record<string, TextFormat>> = bodyTypes;

/** Content encoding → compression of the body. */
const encodings: Readonly<Record<string, Compression | undefined>> = {
  "": undefined,
  identity: undefined,
  gzip: "gzip",
  "x-gzip": "gzip",
};

export type BodyFormat = { readonly format: TextFormat; readonly compression: Compression | undefined };

/** The charset is ignored: text is UTF-8. */
export function bodyFormat(headers: IncomingHttpHeaders): BodyFormat | Problem {
  const type = plain(headers["content-type"]);
  const encoding = plain(headers["content-encoding"]);
  const format = Object.hasOwn(formats, type) ? formats[type] : undefined;
  if (format !== undefined && Object.hasOwn(encodings, encoding)) return { format, compression: encodings[encoding] };
  const [header, received, expected] =
    format === undefined
      ? ["Content-Type", type, Object.keys(formats).join(", ")]
      : ["Content-Encoding", encoding, "gzip, or none"];
  const detail = `${header}: expected ${expected}; got ${received === "" ? "nothing" : `"${received.slice(0, 80)}"`}.`;
  // RFC 7694: this header marks the encoding as the cause.
  return problem("request.type", detail, format === undefined ? {} : { headers: { "accept-encoding": "gzip" } });
}

const plain = (header: string | undefined): string => (header ?? "").split(";", 1)[0]?.trim().toLowerCase() ?? "";

/** Throws an InterruptedInputError if the connection is closed early or idle for too long. */
export async function* incomingChunks(raw: IncomingMessage, idleMs: number): AsyncGenerator<Buffer> {
  // From here on, idleMs applies instead of the limit on the whole body.
  clearTimeout(arrivals.get(raw));
  // The response needs the connection, even if the consumer stops early.
  const chunks = raw.iterator({ destroyOnReturn: false });
  let waiting = false;
  try {
    for (;;) {
      waiting = true;
      const chunk = await next(chunks, idleMs);
      waiting = false;
      if (chunk.done) return;
      yield chunk.value as Buffer;
    }
  } finally {
    // return() would wait for a pending chunk.
    if (!waiting) await chunks.return?.();
    discardRest(raw);
  }
}

async function next(chunks: AsyncIterator<unknown>, idleMs: number): Promise<IteratorResult<unknown>> {
  let limit: NodeJS.Timeout | undefined;
  const idle = new Promise<never>((_, reject) => {
    limit = setTimeout(() => reject(new IdleTimeoutError(`no data arrived for ${idleMs / 1000} seconds`)), idleMs);
  });
  try {
    return await Promise.race([chunks.next(), idle]);
  } catch (error) {
    throw error instanceof InterruptedInputError
      ? error
      : new InterruptedInputError("the connection was closed early", { cause: error });
  } finally {
    clearTimeout(limit);
  }
}

/** Parsing the records of one chunk takes a few milliseconds, even if each is a single digit. */
const chunkBytes = 16_384;

/** Splits large chunks, so that other requests are served in between. */
export async function* smallChunks(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  for await (const chunk of bytes) {
    for (let at = 0; at < chunk.length; at += chunkBytes) yield chunk.subarray(at, at + chunkBytes);
  }
}

export async function* limitBytes(bytes: AsyncIterable<Uint8Array>, max: number): AsyncGenerator<Uint8Array> {
  let count = 0;
  for await (const chunk of bytes) {
    count += chunk.length;
    if (count > max) throw new TooLargeError(tooLargeMessage(max));
    yield chunk;
  }
}

export const tooLargeMessage = (max: number): string => `the body is larger than ${max.toLocaleString("en")} bytes`;

/** Time for a body that nothing reads to arrive. */
const arrivalMs = 60_000;

const arrivals = new WeakMap<IncomingMessage, NodeJS.Timeout>();

const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? 0) !== 0;

/** Node's timeout is the same for all requests, but a long body needs more time, so each body gets a timer. */
export function limitArrival(raw: IncomingMessage, ms: number = arrivalMs): void {
  if (!hasBody(raw)) return;
  const limit = setTimeout(() => raw.destroy(), ms).unref();
  arrivals.set(raw, limit);
  raw.once("close", () => clearTimeout(limit));
}

/** Reads and drops the rest for a while: a client that is still sending may not have seen the response. */
function discardRest(raw: IncomingMessage): void {
  if (raw.readableEnded || raw.destroyed) return;
  raw.resume();
  limitArrival(raw);
}
