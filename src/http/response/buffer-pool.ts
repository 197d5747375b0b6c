// Pooled and reference-counted buffers for large response bodies: allocating and collecting memory for each response
// would cost more than finding its records.
import type { ServerResponse } from "node:http";

/** Smaller bodies are strings, which Node sends together with the headers in one write. */
export const minPooledBytes = 16_384;

/** Few sizes, so that buffers are reusable; a longer body gets an unpooled buffer. */
const sizes = [65_536, 262_144, 1_048_576] as const;

/** Idle bytes to retain per size. */
const maxIdleBytes = 4 * 1_048_576;

const idle = new Map<number, Buffer<ArrayBuffer>[]>(sizes.map((size) => [size, []]));

export type ResponseBody = string | PooledBuffer | RefCountedBuffer | Buffer;

/** Records joined by commas, as text or UTF-8. */
export type JoinedRecords = string | Uint8Array<ArrayBuffer>;

/** Bytes sent once, in a buffer that then returns to the pool. */
export class PooledBuffer {
  readonly bytes: Buffer;
  readonly #whole: Buffer<ArrayBuffer>;

  constructor(length: number) {
    const size = sizes.find((each) => length <= each) ?? length;
    this.#whole = idle.get(size)?.pop() ?? Buffer.allocUnsafeSlow(size);
    this.bytes = this.#whole.subarray(0, length);
  }

  /** The bytes may be overwritten from now on. */
  release(): void {
    const size = this.#whole.length;
    const buffers = idle.get(size);
    if (buffers !== undefined && buffers.length * size < maxIdleBytes) buffers.push(this.#whole);
    else freeBuffer(this.#whole);
  }
}

/** Bytes sent any number of times; freed with the last reference. A missing release only leaves them to the collector. */
export class RefCountedBuffer {
  readonly bytes: Buffer<ArrayBuffer>;
  #references = 1;

  constructor(content: string | Buffer) {
    this.bytes = Buffer.allocUnsafeSlow(Buffer.byteLength(content));
    if (typeof content === "string") this.bytes.write(content);
    else this.bytes.set(content);
  }

  retain(): this {
    this.#references++;
    return this;
  }

  release(): void {
    this.#references--;
    if (this.#references === 0) freeBuffer(this.bytes);
  }
}

/** A page between two ASCII strings. Frees the page's buffer. */
export function enclose(before: string, page: JoinedRecords, after: string): ResponseBody {
  const inner = typeof page === "string" ? Buffer.byteLength(page) : page.length;
  const length = before.length + inner + after.length;
  if (length < minPooledBytes) return before + textOf(page) + after;
  const pooled = new PooledBuffer(length);
  const { bytes } = pooled;
  bytes.write(before, "latin1");
  if (typeof page === "string") bytes.write(page, before.length, inner, inner === page.length ? "latin1" : "utf8");
  else {
    bytes.set(page, before.length);
    freeBuffer(page);
  }
  bytes.write(after, before.length + inner, "latin1");
  return pooled;
}

/** Frees the page's buffer. */
export function textOf(page: JoinedRecords): string {
  if (typeof page === "string") return page;
  const text = viewOf(page).toString("utf8");
  freeBuffer(page);
  return text;
}

const viewOf = ({ buffer, byteOffset, length }: Uint8Array<ArrayBuffer>): Buffer =>
  Buffer.from(buffer, byteOffset, length);

/** Immediately: external memory left to the collector triggers full collections again and again. */
export function freeBuffer({ buffer }: Uint8Array<ArrayBuffer>): void {
  buffer.transfer(0);
}

export const lengthOf = (body: ResponseBody): number => Buffer.byteLength(contentOf(body));

/** To compress or copy; doesn't release the body. */
export const contentOf = (body: ResponseBody): string | Buffer =>
  body instanceof PooledBuffer || body instanceof RefCountedBuffer ? body.bytes : body;

/** Releases a body that isn't sent. */
export function discard(body: ResponseBody): void {
  if (body instanceof PooledBuffer || body instanceof RefCountedBuffer) body.release();
}

/** Releases the body once it has been sent. `length` is in bytes. */
export function endWith(response: ServerResponse, body: ResponseBody, length: number): void {
  if (typeof body === "string") response.end(body, length === body.length ? "latin1" : "utf8");
  else if (body instanceof PooledBuffer || body instanceof RefCountedBuffer) {
    response.end(body.bytes);
    // The kernel may not have accepted all of it yet.
    if (response.socket?.writableLength === 0) body.release();
    else response.once("close", () => body.release());
  } else response.end(body);
}
