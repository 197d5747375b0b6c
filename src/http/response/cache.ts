// Response cache, bounded in bytes: bodies by plan, whole replies by request. Only repeated requests are cached.
import type { Listing } from "../../core/catalog/extension.ts";
import type { Encoding } from "../request/negotiate.ts";
import type { ParsedRequest } from "../request/parsed-request.ts";
import { lengthOf, type RefCountedBuffer } from "./buffer-pool.ts";

/** A body made from one version of the data. */
export type CachedBody = {
  /** ETag by content, for keys that don't see all records; undefined: by version of the data. */
  readonly tag: string | undefined;
  readonly stamp: string;
  readonly bytes: RefCountedBuffer;
  readonly encoding: Encoding | undefined;
  readonly records: number;
  /** Cursor of the next page. */
  readonly next: string | undefined;
};

export type CachedReply = {
  readonly listing: Listing;
  readonly stamp: string;
  readonly request: ParsedRequest;
  readonly tag: string;
  /** Headers of a 304 as alternating names and values: the request ID first, then the position of a list with a stream. */
  readonly unmodified: string[];
  /** Headers of a 200; undefined if only a 304 was sent so far. Its body is cached separately. */
  readonly full: string[] | undefined;
};

export type ResponseCache = {
  readonly admission: AdmissionFilter;
  readonly bodies: BoundedCache<CachedBody>;
  readonly replies: BoundedCache<CachedReply>;
};

/** Estimated bytes of a cached reply besides its key: parsed request, headers, and map entry. */
const replyOverhead = 2048;

/** `bytes` is the total size; 0 disables the cache. */
export function responseCache(bytes: number): ResponseCache {
  const replyBytes = Math.floor(bytes / 8);
  return {
    admission: new AdmissionFilter(),
    bodies: new BoundedCache(
      bytes - replyBytes,
      (key, body) => 2 * key.length + lengthOf(body.bytes),
      (body) => body.bytes.release(),
    ),
    replies: new BoundedCache(replyBytes, (key) => 2 * key.length + replyOverhead),
  };
}

type Slot<V> = { value: V; size: number; used: boolean };

/** A map bounded in bytes, with second-chance eviction. */
class BoundedCache<V> {
  readonly #slots = new Map<string, Slot<V>>();
  readonly #maxBytes: number;
  readonly #sizeOf: (key: string, value: V) => number;
  readonly #onEvict: (value: V) => void;
  #bytes = 0;

  constructor(maxBytes: number, sizeOf: (key: string, value: V) => number, onEvict: (value: V) => void = () => {}) {
    this.#maxBytes = maxBytes;
    this.#sizeOf = sizeOf;
    this.#onEvict = onEvict;
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

  /** Stores the value if the key is cached already or the request is repeated: most requests never are. */
  offer(key: string, isRepeated: boolean, make: () => V): void {
    if (this.#maxBytes === 0) return;
    const old = this.#slots.get(key);
    if (old === undefined && !isRepeated) return;
    if (old !== undefined) this.#remove(key, old);
    const value = make();
    const size = this.#sizeOf(key, value);
    // A single value may not evict everything else.
    if (size > this.#maxBytes / 4) {
      this.#onEvict(value);
      return;
    }
    this.#slots.set(key, { value, size, used: false });
    this.#bytes += size;
    while (this.#bytes > this.#maxBytes) this.#evictOne();
  }

  #evictOne(): void {
    for (const [key, slot] of this.#slots) {
      if (!slot.used) {
        this.#remove(key, slot);
        return;
      }
      // Spared once: move to the end.
      slot.used = false;
      this.#slots.delete(key);
      this.#slots.set(key, slot);
    }
  }

  #remove(key: string, { value, size }: Slot<V>): void {
    this.#slots.delete(key);
    this.#bytes -= size;
    this.#onEvict(value);
  }
}

/**
 * Requests to remember, in sets of four: about as many as the cache has room for. A request repeated only after more than
 * that would be evicted before its next use, and would evict others.
 */
const sets = 256;
const perSet = 4;

/**
 * Cache admission filter: recent requests by a hash of their fingerprint, so that no strings have to be retained and
 * collected. A collision only caches a response too early.
 */
class AdmissionFilter {
  readonly #hashes = new Int32Array(sets * perSet);

  /** Whether the fingerprint was seen recently; records it. */
  seen(fingerprint: string): boolean {
    let hash = 1;
    for (let at = 0; at < fingerprint.length; at++) hash = Math.imul(hash, 31) + fingerprint.charCodeAt(at);
    const first = ((hash ^ (hash >>> 16)) & (sets - 1)) * perSet;
    for (let at = first; at < first + perSet; at++) if (this.#hashes[at] === hash) return true;
    // Newest first; drops the oldest of the set.
    this.#hashes.copyWithin(first + 1, first, first + perSet - 1);
    this.#hashes[first] = hash;
    return false;
  }
}
