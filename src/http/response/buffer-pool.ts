// Bodies on their way out. Large ones lie in buffers that are used again and again: memory that is new for every answer,
// on the collected heap or off it, costs more than finding its records.
import type { ServerResponse } from "node:http";

/** Smaller bodies are texts: they go out with the headers in one write, which Node.js does best. */
export const smallestPooled = 16_384;

/** Buffers are made in a few sizes, so that one fits many answers; a body that is longer than the largest has one of its own. */
const sizes = [65_536, 262_144, 1_048_576] as const;

/** Bytes of each size that wait for their next use; more than that, and buffers are let go. */
const mostIdle = 4 * 1_048_576;

const idle = new Map<number, Buffer<ArrayBuffer>[]>(sizes.map((size) => [size, []]));

export type ResponseBody = string | PooledBuffer | RefCountedBuffer | Buffer;

/** Records joined by commas, as text or as its bytes. */
export type JoinedRecords = string | Uint8Array<ArrayBuffer>;

/** Bytes that go out once, in a buffer that is used again afterwards. */
export class PooledBuffer {
  readonly bytes: Buffer;
  readonly #whole: Buffer<ArrayBuffer>;

  constructor(length: number) {
    const size = sizes.find((each) => length <= each) ?? length;
    this.#whole = idle.get(size)?.pop() ?? Buffer.allocUnsafeSlow(size);
    this.bytes = this.#whole.subarray(0, length);
  }

  /** The bytes may be written over from now on. */
  release(): void {
    const size = this.#whole.length;
    const buffers = idle.get(size);
    if (buffers !== undefined && buffers.length * size < mostIdle) buffers.push(this.#whole);
    else freeMemory(this.#whole);
  }
}

/**
 * Bytes that go out any number of times. Whoever wants them holds them, and lets go of them afterwards; with the last one
 * their memory is given back. One who forgets to leaves it to be collected, no more.
 */
export class RefCountedBuffer {
  readonly bytes: Buffer<ArrayBuffer>;
  #holders = 1;

  /** Held by whoever makes it. */
  constructor(content: string | Buffer) {
    this.bytes = Buffer.allocUnsafeSlow(Buffer.byteLength(content));
    if (typeof content === "string") this.bytes.write(content);
    else this.bytes.set(content);
  }

  retain(): this {
    this.#holders++;
    return this;
  }

  release(): void {
    this.#holders--;
    if (this.#holders === 0) freeMemory(this.bytes);
  }
}

/** A page between two texts of ASCII. Its bytes, if it came as such, are no longer there afterwards. */
export function enclosed(before: string, page: JoinedRecords, after: string): ResponseBody {
  const inner = typeof page === "string" ? Buffer.byteLength(page) : page.length;
  const length = before.length + inner + after.length;
  if (length < smallestPooled) return before + textOf(page) + after;
  const lent = new PooledBuffer(length);
  const { bytes } = lent;
  bytes.write(before, "latin1");
  if (typeof page === "string") bytes.write(page, before.length, inner, inner === page.length ? "latin1" : "utf8");
  else {
    bytes.set(page, before.length);
    freeMemory(page);
  }
  bytes.write(after, before.length + inner, "latin1");
  return lent;
}

/** The text of a page, whose bytes are then no longer there. */
function textOf(page: JoinedRecords): string {
  if (typeof page === "string") return page;
  const text = viewOf(page).toString("utf8");
  freeMemory(page);
  return text;
}

const viewOf = ({ buffer, byteOffset, length }: Uint8Array<ArrayBuffer>): Buffer =>
  Buffer.from(buffer, byteOffset, length);

/** At once: left to be collected, memory off the heap has the whole heap collected, again and again. */
export function freeMemory({ buffer }: Uint8Array<ArrayBuffer>): void {
  buffer.transfer(0);
}

export const lengthOf = (body: ResponseBody): number => Buffer.byteLength(contentOf(body));

/** As it may be compressed or copied; a body that is lent is lent still, and one that is shared is held. */
export const contentOf = (body: ResponseBody): string | Buffer =>
  body instanceof PooledBuffer || body instanceof RefCountedBuffer ? body.bytes : body;

/** For a body that isn't sent after all. */
export function discard(body: ResponseBody): void {
  if (body instanceof PooledBuffer || body instanceof RefCountedBuffer) body.release();
}

/** `length` is that of the body in bytes. What is lent or shared is let go of afterwards. */
export function endWith(response: ServerResponse, body: ResponseBody, length: number): void {
  if (typeof body === "string") response.end(body, length === body.length ? "latin1" : "utf8");
  else if (body instanceof PooledBuffer || body instanceof RefCountedBuffer) {
    response.end(body.bytes);
    // What the system has not taken yet is read from the buffer later on.
    if (response.socket?.writableLength === 0) body.release();
    else response.once("close", () => body.release());
  } else response.end(body);
}
