// The body of a request: what its headers say it is, and its bytes as they arrive, within limits of size and time.
import type { IncomingHttpHeaders, IncomingMessage } from "node:http";
import { type Problem, problem } from "../../core/problem.ts";
import { bodyTypes } from "../../core/writing.ts";
import type { FormatName } from "../../ingest/formats/format.ts";
import { InterruptedInputError } from "../../ingest/formats/records.ts";

export class TooLargeError extends InterruptedInputError {}
export class SilentError extends InterruptedInputError {}

const formats: Readonly<Record<string, FormatName>> = bodyTypes;

/** Whether the bytes are packed, by `Content-Encoding`. */
const encodings: Readonly<Record<string, boolean>> = { "": false, identity: false, gzip: true, "x-gzip": true };

export type BodyForm = { readonly format: FormatName; readonly gzip: boolean };

/** The form of a body by its headers, or the problem with it. Text is UTF-8, whatever a charset says of it. */
export function bodyForm(headers: IncomingHttpHeaders): BodyForm | Problem {
  const type = plain(headers["content-type"]);
  const encoding = plain(headers["content-encoding"]);
  const format = Object.hasOwn(formats, type) ? formats[type] : undefined;
  const gzip = Object.hasOwn(encodings, encoding) ? encodings[encoding] : undefined;
  if (format !== undefined && gzip !== undefined) return { format, gzip };
  const [header, given, expected] =
    format === undefined
      ? ["Content-Type", type, Object.keys(formats).join(", ")]
      : ["Content-Encoding", encoding, "gzip, or none"];
  const detail = `${header}: expected ${expected}; got ${given === "" ? "nothing" : `"${given.slice(0, 80)}"`}.`;
  // RFC 7694: a client that sees this header knows that it was the encoding.
  return problem("request.type", detail, format === undefined ? {} : { headers: { "accept-encoding": "gzip" } });
}

const plain = (header: string | undefined): string => (header ?? "").split(";", 1)[0]?.trim().toLowerCase() ?? "";

/** The bytes as they come. A cut connection, or none of them for so long, ends them with a BrokenError. */
export async function* arriving(raw: IncomingMessage, idleMs: number): AsyncGenerator<Buffer> {
  arriveInOwnTime(raw);
  // The connection is needed for the answer, also when the reader has seen enough.
  const pieces = raw.iterator({ destroyOnReturn: false });
  let waiting = false;
  try {
    for (;;) {
      waiting = true;
      const piece = await next(pieces, idleMs);
      waiting = false;
      if (piece.done) return;
      yield piece.value as Buffer;
    }
  } finally {
    // A piece that is still waited for would have to come first.
    if (!waiting) await pieces.return?.();
    letGo(raw);
  }
}

async function next(pieces: AsyncIterator<unknown>, idleMs: number): Promise<IteratorResult<unknown>> {
  let limit: NodeJS.Timeout | undefined;
  const silence = new Promise<never>((_, reject) => {
    limit = setTimeout(() => reject(new SilentError(`no byte came for ${idleMs / 1000} seconds`)), idleMs);
  });
  try {
    return await Promise.race([pieces.next(), silence]);
  } catch (error) {
    throw error instanceof InterruptedInputError
      ? error
      : new InterruptedInputError("the connection was cut", { cause: error });
  } finally {
    clearTimeout(limit);
  }
}

/** Small enough that reading the records of one piece takes a few milliseconds, even when each is a single digit. */
const pieceBytes = 16_384;

/** The same bytes in small pieces: between two of them other requests are served. */
export async function* inPieces(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  for await (const piece of bytes) {
    for (let at = 0; at < piece.length; at += pieceBytes) yield piece.subarray(at, at + pieceBytes);
  }
}

/** The same bytes, but no more than so many. */
export async function* limited(bytes: AsyncIterable<Uint8Array>, most: number): AsyncGenerator<Uint8Array> {
  let count = 0;
  for await (const piece of bytes) {
    count += piece.length;
    if (count > most) throw new TooLargeError(tooLarge(most));
    yield piece;
  }
}

export const tooLarge = (most: number): string => `the body is larger than ${most.toLocaleString("en")} bytes`;

/** How long a body may take to arrive that nobody reads. */
const arrivalMs = 60_000;

const arrivals = new WeakMap<IncomingMessage, NodeJS.Timeout>();

export const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? 0) !== 0;

/** Node.js has one limit for the arrival of all requests, and a long body needs another: so each with a body has its own. */
export function limitArrival(raw: IncomingMessage, ms: number = arrivalMs): void {
  if (!hasBody(raw)) return;
  const limit = setTimeout(() => raw.destroy(), ms).unref();
  arrivals.set(raw, limit);
  raw.once("close", () => clearTimeout(limit));
}

function arriveInOwnTime(raw: IncomingMessage): void {
  clearTimeout(arrivals.get(raw));
}

/** The rest of a body is read and dropped for a while: a client that is still sending may not have seen its answer. */
function letGo(raw: IncomingMessage): void {
  if (raw.readableEnded || raw.destroyed) return;
  raw.resume();
  limitArrival(raw);
}
