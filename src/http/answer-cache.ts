// Answers that are kept until their data changes: bodies by what was asked for, and whole replies by the request that
// asked, so that the same request again costs no reading of it. Bounded in bytes; nothing is kept on first sight.
import type { Listing } from "../core/extension.ts";
import type { Holder } from "./auth.ts";
import type { Encoding } from "./negotiate.ts";

/** A body, as it was made from a version of the data. */
export type KeptBody = {
  readonly stamp: string;
  readonly bytes: Buffer;
  readonly encoding: Encoding | undefined;
  readonly records: number;
  /** Cursor of the page after it. */
  readonly next: string | undefined;
};

/** A reply, as it was given to a request. */
export type KeptReply = {
  readonly listing: Listing;
  readonly stamp: string;
  /** Which set of keys let the request in, and until when. */
  readonly keys: number;
  readonly until: number;
  readonly holder: Holder;
  readonly tag: string;
  /** Headers of a 304: names and values in turn, the request's id first. */
  readonly unmodified: string[];
  /** Headers of a 200; undefined while only 304 was answered. Its body is one of those kept, if it still is. */
  readonly full: string[] | undefined;
  readonly bodyKey: string;
};

export type AnswerCache = {
  readonly bodies: Kept<KeptBody>;
  readonly replies: Kept<KeptReply>;
};

/** What a remembered request weighs beside its text: its headers, and the tables that hold it. */
const replyOverhead = 1024;

/** `bytes` is the size of everything kept; 0 keeps nothing. */
export function answerCache(bytes: number): AnswerCache {
  const share = Math.floor(bytes / 8);
  return {
    bodies: new Kept(bytes - share, (key, body) => 2 * key.length + body.bytes.length),
    replies: new Kept(share, (key) => 2 * key.length + replyOverhead),
  };
}

type Slot<V> = { value: V; size: number; used: boolean };

/** A map bounded in bytes. What was used since it was last looked at for removal is spared once. */
class Kept<V> {
  readonly #slots = new Map<string, Slot<V>>();
  readonly #sights: Sights;
  readonly #most: number;
  readonly #sizeOf: (key: string, value: V) => number;
  #bytes = 0;

  constructor(most: number, sizeOf: (key: string, value: V) => number) {
    this.#most = most;
    this.#sizeOf = sizeOf;
    this.#sights = new Sights(most / 16);
  }

  get bytes(): number {
    return this.#bytes;
  }

  find(key: string): V | undefined {
    const slot = this.#slots.get(key);
    if (slot === undefined) return undefined;
    slot.used = true;
    return slot.value;
  }

  /** Kept when the key was kept or seen before: what is asked for once is mostly never asked for again. */
  offer(key: string, make: () => V): void {
    if (this.#most === 0) return;
    const old = this.#slots.get(key);
    if (old === undefined && !this.#sights.again(key)) return;
    const value = make();
    const size = this.#sizeOf(key, value);
    if (old !== undefined) this.#drop(key, old);
    // A single value may not push out everything else.
    if (size > this.#most / 4) return;
    this.#slots.set(key, { value, size, used: false });
    this.#bytes += size;
    while (this.#bytes > this.#most) this.#removeOne();
  }

  #removeOne(): void {
    for (const [key, slot] of this.#slots) {
      this.#drop(key, slot);
      if (!slot.used) return;
      slot.used = false;
      this.#slots.set(key, slot);
      this.#bytes += slot.size;
    }
  }

  #drop(key: string, slot: Slot<V>): void {
    this.#slots.delete(key);
    this.#bytes -= slot.size;
  }
}

/** Which keys were seen lately: two generations of them, the older one forgotten when the younger is full. */
class Sights {
  #young = new Set<string>();
  #old = new Set<string>();
  #bytes = 0;
  readonly #most: number;

  constructor(bytes: number) {
    this.#most = bytes / 2;
  }

  again(key: string): boolean {
    if (this.#young.has(key)) return true;
    const again = this.#old.has(key);
    this.#bytes += 2 * key.length + 64;
    if (this.#bytes > this.#most) {
      this.#old = this.#young;
      this.#young = new Set();
      this.#bytes = 2 * key.length + 64;
    }
    this.#young.add(key);
    return again;
  }
}
