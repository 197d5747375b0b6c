// Answers that are kept until their data changes: bodies by what was asked for, and whole replies by the request that
// asked, so that the same request again costs no reading of it. Bounded in bytes; nothing is kept on first sight.
import type { Listing } from "../../core/catalog/extension.ts";
import type { Encoding } from "../request/negotiate.ts";
import type { ParsedRequest } from "../request/parsed-request.ts";
import { lengthOf, type RefCountedBuffer } from "./buffer-pool.ts";

/** A body, as it was made from a version of the data. */
export type CachedBody = {
  /** Of a key that sees less than all: by its content, and not by the version of the data. */
  readonly tag: string | undefined;
  readonly stamp: string;
  readonly bytes: RefCountedBuffer;
  readonly encoding: Encoding | undefined;
  readonly records: number;
  /** Cursor of the page after it. */
  readonly next: string | undefined;
};

/** A reply, as it was given to a request. */
export type CachedReply = {
  readonly listing: Listing;
  readonly stamp: string;
  readonly request: ParsedRequest;
  readonly tag: string;
  /** Headers of a 304: names and values in turn, the request's id first. */
  readonly unmodified: string[];
  /** Headers of a 200; undefined while only 304 was answered. Its body is one of those kept, if it still is. */
  readonly full: string[] | undefined;
};

export type ResponseCache = {
  readonly admission: AdmissionFilter;
  readonly bodies: BoundedCache<CachedBody>;
  readonly replies: BoundedCache<CachedReply>;
};

/** What a remembered request weighs beside its text: what was understood of it, its headers, and the tables that hold it. */
const replyOverhead = 2048;

/** `bytes` is the size of everything kept; 0 keeps nothing. */
export function responseCache(bytes: number): ResponseCache {
  const share = Math.floor(bytes / 8);
  return {
    admission: new AdmissionFilter(),
    bodies: new BoundedCache(
      bytes - share,
      (key, body) => 2 * key.length + lengthOf(body.bytes),
      (body) => body.bytes.release(),
    ),
    replies: new BoundedCache(share, (key) => 2 * key.length + replyOverhead),
  };
}

type Slot<V> = { value: V; size: number; used: boolean };

/** A map bounded in bytes. What was used since it was last looked at for removal is spared once. */
class BoundedCache<V> {
  readonly #slots = new Map<string, Slot<V>>();
  readonly #most: number;
  readonly #sizeOf: (key: string, value: V) => number;
  /** What is done with a value that is kept no longer. */
  readonly #letGo: (value: V) => void;
  #bytes = 0;

  constructor(most: number, sizeOf: (key: string, value: V) => number, letGo: (value: V) => void = () => {}) {
    this.#most = most;
    this.#sizeOf = sizeOf;
    this.#letGo = letGo;
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

  /** Kept when it is kept already or was asked for before: what is asked for once is mostly never asked for again. */
  offer(key: string, again: boolean, make: () => V): void {
    if (this.#most === 0) return;
    const old = this.#slots.get(key);
    if (old === undefined && !again) return;
    if (old !== undefined) this.#remove(key, old);
    const value = make();
    const size = this.#sizeOf(key, value);
    // A single value may not push out everything else.
    if (size > this.#most / 4) {
      this.#letGo(value);
      return;
    }
    this.#slots.set(key, { value, size, used: false });
    this.#bytes += size;
    while (this.#bytes > this.#most) this.#removeOne();
  }

  #removeOne(): void {
    for (const [key, slot] of this.#slots) {
      if (!slot.used) {
        this.#remove(key, slot);
        return;
      }
      // To the end of those that wait to be looked at.
      slot.used = false;
      this.#slots.delete(key);
      this.#slots.set(key, slot);
    }
  }

  #remove(key: string, { value, size }: Slot<V>): void {
    this.#slots.delete(key);
    this.#bytes -= size;
    this.#letGo(value);
  }
}

/**
 * How many requests are remembered as seen, in sets of four: about as many as there is room for answers. What comes again
 * only after more than that would be gone before it is asked for once more, and would push out others meanwhile.
 */
const sets = 256;
const perSet = 4;

/**
 * What was asked for lately, by a number made of its fingerprint: no text is kept for it, and none has to be collected. Two
 * that share a number are taken for one, which keeps an answer too early, no more.
 */
class AdmissionFilter {
  readonly #seen = new Int32Array(sets * perSet);

  /** Whether this was seen before; from now on it was. */
  again(fingerprint: string): boolean {
    let number = 1;
    for (let at = 0; at < fingerprint.length; at++) number = Math.imul(number, 31) + fingerprint.charCodeAt(at);
    const first = ((number ^ (number >>> 16)) & (sets - 1)) * perSet;
    for (let at = first; at < first + perSet; at++) if (this.#seen[at] === number) return true;
    // The newest first; the oldest of its set is forgotten.
    this.#seen.copyWithin(first + 1, first, first + perSet - 1);
    this.#seen[first] = number;
    return false;
  }
}
