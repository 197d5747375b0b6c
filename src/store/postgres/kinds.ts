// The kinds of statements that are asked for several at once: each has a connection to itself, so that few may be at a time.
import type { Compiled } from "../dialect.ts";
import { Together, type Ways } from "./together.ts";

/** Statements of kinds beyond these are each asked by itself. */
const mostKinds = 100;

/** With so many statements for several under way, no other kind begins with one. */
const mostRounds = 4;

type Several = (sql: string, ...given: Parameters<Ways["several"]>) => Promise<unknown>;

export class Kinds {
  readonly #alone: Ways["alone"];
  readonly #several: Several;
  /** By the statement for several. */
  readonly #known = new Map<string, Together>();
  #rounds = 0;

  constructor(alone: Ways["alone"], several: Several) {
    this.#alone = alone;
    this.#several = several;
  }

  /** Those that a statement is to be asked with; undefined where it is to be asked by itself. */
  of({ together: sql }: Compiled): Together | undefined {
    if (sql === undefined) return undefined;
    let kind = this.#known.get(sql);
    if (kind === undefined && this.#known.size < mostKinds) {
      kind = new Together({ alone: this.#alone, several: (...given) => this.#counted(this.#several(sql, ...given)) });
      this.#known.set(sql, kind);
    }
    return kind?.isIdle && this.#rounds >= mostRounds ? undefined : kind;
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
