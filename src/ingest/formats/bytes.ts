// Byte stream helpers: a buffered head, BOM removal, and a growing buffer for records that span chunks.

/** The same bytes, with at least `size` of them in the first chunk, unless there are fewer in total. */
export async function* withBufferedHead(bytes: AsyncIterable<Uint8Array>, size: number): AsyncGenerator<Buffer> {
  let head: Buffer | undefined = Buffer.alloc(0);
  for await (const chunk of bytes) {
    const buffer = Buffer.isBuffer(chunk) ? chunk : Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
    if (head === undefined) {
      yield buffer;
      continue;
    }
    head = head.length === 0 ? buffer : Buffer.concat([head, buffer]);
    if (head.length < size) continue;
    yield head;
    head = undefined;
  }
  if (head !== undefined && head.length > 0) yield head;
}

/** The same bytes without a UTF-8 byte order mark. */
export async function* withoutBom(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer> {
  let first = true;
  for await (const chunk of withBufferedHead(bytes, 3)) {
    const marked = first && chunk[0] === 0xef && chunk[1] === 0xbb && chunk[2] === 0xbf;
    first = false;
    if (!marked) yield chunk;
    else if (chunk.length > 3) yield chunk.subarray(3);
  }
}

/** Buffers bytes until the rest of their record arrives. Grows by doubling, so a record of many chunks takes linear time. */
export class PendingBytes {
  #buffer = Buffer.allocUnsafe(64 * 1024);
  #start = 0;
  #end = 0;

  get length(): number {
    return this.#end - this.#start;
  }

  /** A view, valid until the next `append`. */
  get bytes(): Buffer {
    return this.#buffer.subarray(this.#start, this.#end);
  }

  append(chunk: Uint8Array): void {
    if (this.#end + chunk.length > this.#buffer.length) this.#makeRoom(this.length + chunk.length);
    this.#buffer.set(chunk, this.#end);
    this.#end += chunk.length;
  }

  /** Drops the first `count` bytes. */
  drop(count: number): void {
    this.#start += count;
    if (this.#start >= this.#end) this.clear();
  }

  clear(): void {
    this.#start = 0;
    this.#end = 0;
  }

  #makeRoom(needed: number): void {
    const { bytes } = this;
    // Moving to the front must free at least half, or a slowly growing record would be moved over and over.
    const target = needed * 2 <= this.#buffer.length ? this.#buffer : Buffer.allocUnsafe(needed * 2);
    target.set(bytes, 0);
    this.#buffer = target;
    this.#end = bytes.length;
    this.#start = 0;
  }
}
