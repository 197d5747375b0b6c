// A Bloom filter of record IDs: whether an ID is certainly new, in fixed memory for any number of them.

/** With 32 bits per ID, one new ID in a million looks known. */
const bitsPerId = 32;
/** 32 MB: enough for 8 million IDs; one in twelve looks known after 50 million. */
const maxBits = 2 ** 28;
const minBits = 2 ** 16;
const hashes = 5;

export class IdFilter {
  readonly #words: Uint32Array;
  readonly #mask: number;

  /** The expected number of IDs; undefined if unknown. */
  constructor(expected?: number) {
    const bits = expected === undefined ? maxBits : 2 ** Math.ceil(Math.log2(expected * bitsPerId + 1));
    const bounded = Math.min(Math.max(bits, minBits), maxBits);
    this.#words = new Uint32Array(bounded / 32);
    this.#mask = bounded - 1;
  }

  /** Adds an ID; returns false if it may have been added before. */
  add(id: string | number): boolean {
    const text = String(id);
    const first = hash(text, 0x811c9dc5);
    // Odd, so that the positions differ.
    const step = hash(text, 0x9747b28c) | 1;
    let isNew = false;
    for (let i = 0; i < hashes; i++) {
      const bit = (first + Math.imul(i, step)) & this.#mask;
      const mask = 1 << (bit & 31);
      const word = this.#words[bit >>> 5] ?? 0;
      if ((word & mask) !== 0) continue;
      isNew = true;
      this.#words[bit >>> 5] = word | mask;
    }
    return isNew;
  }
}

/** FNV-1a, with a final mix: short IDs differ in few bits. */
function hash(text: string, seed: number): number {
  let sum = seed;
  for (let i = 0; i < text.length; i++) sum = Math.imul(sum ^ text.charCodeAt(i), 0x01000193);
  sum = Math.imul(sum ^ (sum >>> 16), 0x85ebca6b);
  return sum ^ (sum >>> 13);
}
