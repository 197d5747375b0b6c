// Bytes on their way to a reader: the first few gathered to be looked at, and a record's beginning kept until its rest arrives.

/** The same bytes; the first piece holds at least `size` of them, unless there are fewer in all. */
export async function* gathered(bytes: AsyncIterable<Uint8Array>, size: number): AsyncGenerator<Buffer> {
  let head: Buffer | undefined = Buffer.alloc(0);
  for await (const piece of bytes) {
    const buffer = Buffer.isBuffer(piece) ? piece : Buffer.from(piece.buffer, piece.byteOffset, piece.byteLength);
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

/** The same bytes without the byte order mark that some programs put before UTF-8 text. */
export async function* withoutMark(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer> {
  let first = true;
  for await (const piece of gathered(bytes, 3)) {
    const marked = first && piece[0] === 0xef && piece[1] === 0xbb && piece[2] === 0xbf;
    first = false;
    if (!marked) yield piece;
    else if (piece.length > 3) yield piece.subarray(3);
  }
}

/** Bytes kept until the rest of their record arrives. Grows by doubling: a record over many pieces costs linear time. */
export class Pending {
  #buffer = Buffer.allocUnsafe(64 * 1024);
  #start = 0;
  #end = 0;

  get length(): number {
    return this.#end - this.#start;
  }

  /** A view, good until the next `append`. */
  get bytes(): Buffer {
    return this.#buffer.subarray(this.#start, this.#end);
  }

  append(piece: Uint8Array): void {
    if (this.#end + piece.length > this.#buffer.length) this.#makeRoom(this.length + piece.length);
    this.#buffer.set(piece, this.#end);
    this.#end += piece.length;
  }

  /** Forgets the first `count` bytes. */
  drop(count: number): void {
    this.#start += count;
    if (this.#start >= this.#end) this.clear();
  }

  clear(): void {
    this.#start = 0;
    this.#end = 0;
  }

  #makeRoom(needed: number): void {
    const kept = this.bytes;
    // Moving to the front pays only when it frees at least half: else a slowly growing record would be moved again and again.
    const target = needed * 2 <= this.#buffer.length ? this.#buffer : Buffer.allocUnsafe(needed * 2);
    target.set(kept, 0);
    this.#buffer = target;
    this.#end = kept.length;
    this.#start = 0;
  }
}
