// A Bloom filter of record IDs: whether an ID is certainly new, in fixed memory for any number of them.

/** 32 MB: one of a million new IDs looks known after 5 million of them, and one of ten after 50 million. */
const bits = 2 ** 28;
const hashes = 7;

export class IdFilter {
  readonly #words = new Uint32Array(bits / 32);

  /** Adds an ID; returns false if it may have been added before. */
  add(id: string | number): boolean {
    const text = String(id);
    const first = hash(text, 0x811c9dc5);
    // Odd, so that the positions differ.
    const step = hash(text, 0x9747b28c) | 1;
    let isNew = false;
    for (let i = 0; i < hashes; i++) {
      const bit = (first + Math.imul(i, step)) & (bits - 1);
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
