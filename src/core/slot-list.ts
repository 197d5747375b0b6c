// Things that come and go all the time, kept in places that are used again. A Set or a Map makes itself anew after every few
// dozen that were added and removed; its older tables each point to the next, and one of them that has grown old keeps all
// that stood in the later ones, and what those held, until the whole heap is collected.

export class Places<T extends object> {
  readonly #standing: (T | undefined)[] = [];
  /** How many had come before the one in each place. */
  readonly #turns: number[] = [];
  readonly #free: number[] = [];
  #come = 0;

  /** Gives the place, by which it is removed; once, since another may stand there afterwards. */
  add(thing: T): number {
    const place = this.#free.pop() ?? this.#standing.length;
    this.#standing[place] = thing;
    this.#turns[place] = this.#come++;
    return place;
  }

  remove(place: number): void {
    this.#standing[place] = undefined;
    this.#free.push(place);
  }

  get size(): number {
    return this.#standing.length - this.#free.length;
  }

  /** In the order in which they came. */
  all(): T[] {
    const taken = [...this.#standing.keys()].filter((place) => this.#standing[place] !== undefined);
    taken.sort((a, b) => (this.#turns[a] as number) - (this.#turns[b] as number));
    return taken.map((place) => this.#standing[place] as T);
  }
}
