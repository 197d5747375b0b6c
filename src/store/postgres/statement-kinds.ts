// The kinds of statements that are asked for several at once: each such statement has a connection to itself, so that there
// are few at a time, and none where a connection would have to be waited for.
import type { Compiled } from "../sql/dialect.ts";
import { type Means, Together } from "./together.ts";

/** Kinds beyond these take the place of one of which nothing is under way. */
const mostKinds = 100;

/** Statements for several under way at once. */
const mostRounds = 4;

export type KindsMeans = {
  readonly alone: Means["alone"];
  readonly several: (sql: string, ...given: Parameters<Means["several"]>) => Promise<unknown>;
  /** Whether there is a connection to be had at once. */
  readonly hasConnection: () => boolean;
  readonly ticks: Means["ticks"];
};

export class StatementKinds {
  readonly #means: KindsMeans;
  /** By the statement for several, the oldest first. */
  readonly #known = new Map<string, Together>();
  #rounds = 0;

  constructor(means: KindsMeans) {
    this.#means = means;
  }

  /** Those that a statement is to be asked with; undefined where it is to be asked by itself. */
  of({ together: sql }: Compiled): Together | undefined {
    if (sql === undefined) return undefined;
    return this.#known.get(sql) ?? this.#begin(sql);
  }

  #begin(sql: string): Together | undefined {
    if (this.#known.size >= mostKinds) {
      const [idle] = [...this.#known].find(([, { isIdle }]) => isIdle) ?? [];
      if (idle === undefined) return undefined;
      this.#known.delete(idle);
    }
    const { alone, several, hasConnection, ticks } = this.#means;
    const kind = new Together({
      alone,
      ticks,
      several: (...given) => this.#counted(several(sql, ...given)),
      mayBegin: () => this.#rounds < mostRounds && hasConnection(),
    });
    this.#known.set(sql, kind);
    return kind;
  }

  async #counted(round: Promise<unknown>): Promise<void> {
    this.#rounds++;
    try {
      await round;
    } finally {
      this.#rounds--;
    }
  }
}
