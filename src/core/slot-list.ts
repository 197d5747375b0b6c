// A list for objects that are added and removed constantly, in reusable slots. A Set or Map rehashes after every few dozen
// changes, and each old table references the next: one that was promoted to the old generation retains all later ones,
// with their entries, until a full garbage collection.

export class SlotList<T extends object> {
  readonly #slots: (T | undefined)[] = [];
  /** Sequence numbers, for the order of insertion. */
  readonly #sequence: number[] = [];
  readonly #free: number[] = [];
  #added = 0;

  /** Returns the slot, with which the item must be removed exactly once. */
  add(item: T): number {
    const slot = this.#free.pop() ?? this.#slots.length;
    this.#slots[slot] = item;
    this.#sequence[slot] = this.#added++;
    return slot;
  }

  remove(slot: number): void {
    this.#slots[slot] = undefined;
    this.#free.push(slot);
  }

  get size(): number {
    return this.#slots.length - this.#free.length;
  }

  /** In order of insertion. */
  all(): T[] {
    const used = [...this.#slots.keys()].filter((slot) => this.#slots[slot] !== undefined);
    used.sort((a, b) => (this.#sequence[a] as number) - (this.#sequence[b] as number));
    return used.map((slot) => this.#slots[slot] as T);
  }
}
