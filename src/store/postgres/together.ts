// Statements of one kind that come at once, or while others of it are asked together, are asked together, as one statement:
// to begin and end a statement takes the server and this process as long as to find what it asks for.
import { Places } from "../../core/slot-list.ts";
import type { Compiled } from "../sql/dialect.ts";
import { isRefusal } from "./pool/errors.ts";
import type { PgRow } from "./pool/statement.ts";

/** So many wait for none that are on their way. */
const mostGathered = 16;

/** Statements on their way at once, unless more is asked for than goes into them. */
const enough = 2;

/** One that began longer ago is not waited for; what has not been told for so long is asked one by one. */
const lateMs = 100;

/** How one is asked, and how several are: `begin` gives their values once there is a connection. */
export type Means = {
  readonly alone: (asking: Compiled) => Promise<PgRow[]>;
  readonly several: (begin: () => readonly unknown[][], onRow: (row: PgRow) => void) => Promise<unknown>;
  /** Whether there is room for a statement for several now; those that come while there is none are asked one by one. */
  readonly mayBegin: () => boolean;
  /** Milliseconds. */
  readonly ticks: () => number;
};

type Asked = {
  readonly asking: Compiled;
  readonly resolve: (rows: PgRow[]) => void;
  readonly reject: (error: unknown) => void;
  /** How often it is being asked; it has failed when all of them have. */
  ways: number;
  isAnswered: boolean;
};

/** A statement on its way. */
type Round = {
  /** Those whose answers it has not told, in the order in which it will. */
  readonly left: Set<Asked>;
  readonly began: number;
  /** When it began, then when the server was asked, then when it told the last one. */
  since: number;
  /** Whether what it had not told was asked one by one: that is done once, and may fail. */
  isLate: boolean;
};

/** All statements of one kind. */
export class Together {
  readonly #means: Means;
  readonly #rounds = new Places<Round>();
  readonly #gathered: Asked[] = [];
  #isGathering = false;
  #watch: NodeJS.Timeout | undefined;

  constructor(means: Means) {
    this.#means = means;
  }

  /** Whether nothing is under way, or gathered. */
  get isIdle(): boolean {
    return this.#rounds.size === 0 && this.#gathered.length === 0;
  }

  run(asking: Compiled): Promise<PgRow[]> {
    return new Promise((resolve, reject) => {
      this.#gather({ asking, resolve, reject, ways: 1, isAnswered: false });
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
      if (several.length === 1 || !this.#means.mayBegin()) this.#askAlone(several);
      else void this.#askTogether(several);
    }
  }

  #isBusy(): boolean {
    const late = this.#means.ticks() - lateMs;
    return this.#rounds.count(({ began }) => began > late) >= enough;
  }

  #askAlone(some: Iterable<Asked>): void {
    for (const asked of some) {
      this.#means.alone(asked.asking).then(
        (rows) => answer(asked, rows),
        (error) => fail(asked, error),
      );
    }
  }

  async #askTogether(several: readonly Asked[]): Promise<void> {
    const began = this.#means.ticks();
    const round: Round = { left: new Set(several), began, since: began, isLate: false };
    let told = several;
    const place = this.#rounds.add(round);
    // Answers that have come while this process was busy are taken first.
    this.#watch ??= setInterval(() => setImmediate(() => this.#look()), lateMs).unref();
    try {
      await this.#means.several(
        () => {
          round.since = this.#means.ticks();
          // While a connection was waited for, some may have been asked elsewhere.
          told = several.filter(({ isAnswered }) => !isAnswered);
          for (const asked of several) if (asked.isAnswered) round.left.delete(asked);
          const [first] = several as readonly [Asked, ...Asked[]];
          return first.asking.parameters.map((_, index) => told.map(({ asking }) => asking.parameters[index]));
        },
        (row) => {
          round.since = this.#means.ticks();
          const asked = told[Number(row.n) - 1];
          if (asked === undefined) return;
          answer(asked, [row]);
          round.left.delete(asked);
        },
      );
      if (round.left.size > 0) throw new Error("a statement for several has not answered all of them");
    } catch (error) {
      // It may be the fault of one of them. Those that are asked elsewhere too need no third way.
      const again = isRefusal(error) ? [...round.left].filter(isHereAlone) : [];
      for (const asked of round.left) if (!again.includes(asked)) fail(asked, error);
      this.#askAlone(again);
    } finally {
      this.#rounds.remove(place);
      this.#send();
    }
  }

  #look(): void {
    if (this.#rounds.size === 0) {
      clearInterval(this.#watch);
      this.#watch = undefined;
    }
    this.#send();
    const late = this.#means.ticks() - lateMs;
    for (const round of this.#rounds.all()) {
      const { left, since, isLate } = round;
      if (isLate || since > late) continue;
      round.isLate = true;
      // Which one is slow can't be known: the server tells small answers with later ones. It is likely among the first,
      // so that these are asked last. Reads may well be done twice.
      const again = [...left].filter(isHereAlone).reverse();
      for (const asked of again) asked.ways++;
      this.#askAlone(again);
    }
  }
}

const isHereAlone = ({ ways }: Asked): boolean => ways === 1;

function answer(asked: Asked, rows: PgRow[]): void {
  asked.isAnswered = true;
  asked.resolve(rows);
}

function fail(asked: Asked, error: unknown): void {
  asked.ways--;
  if (asked.ways === 0) asked.reject(error);
}
