// Statements of one kind that come while others of it are being answered are asked together, as one statement: to begin
// and end a statement takes the server and this process as long as to find what it asks for.
import type { Compiled } from "../dialect.ts";
import { StoreError } from "../store.ts";
import type { PgRow } from "./ask.ts";

/** So many wait for none that are on their way. */
const mostGathered = 16;

/** Statements on their way at once, unless more is asked for than goes into them. */
const enough = 2;

/** One that has told no answer for so long is not waited for, and what it has not told is asked one by one. */
const lateMs = 100;

/** A way to ask for one, and a way to ask for several; each row of those is told as it comes. */
export type Ways = {
  readonly alone: (asking: Compiled) => Promise<PgRow[]>;
  readonly several: (lists: readonly unknown[][], onRow: (row: PgRow) => void) => Promise<unknown>;
};

type Asked = {
  readonly asking: Compiled;
  readonly resolve: (rows: PgRow[]) => void;
  readonly reject: (error: unknown) => void;
  /** How often it is being asked; it has failed when all of them have. */
  ways: number;
};

/** A statement on its way. */
type Round = {
  /** Those whose answers it has not told, in the order in which it will. */
  readonly left: Set<Asked>;
  /** When it told the last one. */
  since: number;
};

/** All statements of one kind. */
export class Together {
  readonly #ways: Ways;
  readonly #rounds = new Set<Round>();
  readonly #gathered: Asked[] = [];
  #isGathering = false;
  #watch: NodeJS.Timeout | undefined;

  constructor(ways: Ways) {
    this.#ways = ways;
  }

  run(asking: Compiled): Promise<PgRow[]> {
    return new Promise((resolve, reject) => {
      this.#gather({ asking, resolve, reject, ways: 1 });
    });
  }

  /** What comes in the same turn is sent together. */
  #gather(asked: Asked): void {
    this.#gathered.push(asked);
    if (this.#isGathering) return;
    this.#isGathering = true;
    process.nextTick(() => {
      this.#isGathering = false;
      this.#send();
    });
  }

  #send(): void {
    while (this.#gathered.length >= mostGathered || (this.#gathered.length > 0 && !this.#isBusy())) {
      const several = this.#gathered.splice(0, mostGathered);
      if (several.length === 1) this.#askAlone(several);
      else void this.#askTogether(several);
    }
  }

  #isBusy(): boolean {
    const late = performance.now() - lateMs;
    let busy = 0;
    for (const { since } of this.#rounds) if (since > late) busy++;
    return busy >= enough;
  }

  #askAlone(some: Iterable<Asked>): void {
    for (const asked of some) this.#ways.alone(asked.asking).then(asked.resolve, (error) => fail(asked, error));
  }

  async #askTogether(several: readonly Asked[]): Promise<void> {
    const round: Round = { left: new Set(several), since: performance.now() };
    this.#rounds.add(round);
    this.#watch ??= setInterval(() => this.#look(), lateMs).unref();
    const [first] = several as readonly [Asked, ...Asked[]];
    const lists = first.asking.parameters.map((_, index) => several.map(({ asking }) => asking.parameters[index]));
    try {
      await this.#ways.several(lists, (row) => {
        const asked = several[Number(row.n) - 1] as Asked;
        asked.resolve([row]);
        round.left.delete(asked);
        round.since = performance.now();
      });
    } catch (error) {
      // It may be the fault of one of them.
      if (!(error instanceof StoreError)) this.#askAlone(round.left);
      else for (const asked of round.left) fail(asked, error);
    } finally {
      this.#rounds.delete(round);
      this.#send();
    }
  }

  #look(): void {
    if (this.#rounds.size === 0) {
      clearInterval(this.#watch);
      this.#watch = undefined;
    }
    this.#send();
    const late = performance.now() - lateMs;
    for (const { left, since } of this.#rounds) {
      if (since > late) continue;
      // Which one is slow can't be known: the server tells small answers with later ones. It is likely among the first,
      // so that these are asked last. Reads may well be done twice.
      const again = [...left].filter(({ ways }) => ways === 1).reverse();
      for (const asked of again) asked.ways++;
      this.#askAlone(again);
    }
  }
}

function fail(asked: Asked, error: unknown): void {
  asked.ways--;
  if (asked.ways === 0) asked.reject(error);
}
