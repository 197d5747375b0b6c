// How research firms follow companies: one chain of ratings and price targets for each firm and company, leaning on
// the same price level as the results, so that good reports tend to raise targets.
import { clamp } from "../amounts.ts";
import { clockAt, dayOf, tradingDayFrom, tradingDaysLater, yearOf } from "../days.ts";
import type { Draw } from "../draw.ts";
import type { Company } from "./company.ts";
import { type Analyst, type Firm, firmsOf, shortLivedFirm } from "./firms.ts";

export type Opinion = {
  company: Company;
  firm: Firm;
  analyst: Analyst;
  day: number;
  clock: number;
  action: string;
  targetAction: string;
  rating: string;
  ratingBefore: string;
  /** Cents; undefined without a target. */
  target: number | undefined;
  targetBefore: number | undefined;
  draw: Draw;
};

/** One occasion to speak in a quarter, with where its days lie after the report and how often it is used. */
const occasions = [
  { from: 1, to: 5, chance: 0.54 },
  { from: 14, to: 34, chance: 0.14 },
  { from: 42, to: 48, chance: 0.09 },
] as const;

// An opinion older than this no longer counts as the one before; it also bounds how far back a chain must be read.
const memoryInQuarters = 8;
const turnMemoryInQuarters = 24;

type Standing = { index: number; rating: string; target: number | undefined; analyst: Analyst; ended: string };

type Spell = { state: "open" | "ending" | "closed" | "opening"; ending: string };

class Coverage {
  readonly #company: Company;
  readonly #firm: Firm;
  readonly #draw: Draw;
  readonly #offset: number;
  readonly #withTargets: boolean;
  readonly #optimism: number;
  /** Speaks on the day after every report. */
  readonly #prompt: boolean;

  constructor(company: Company, firm: Firm, draw: Draw, prompt: boolean) {
    const traits = draw.at("traits");
    this.#company = company;
    this.#firm = firm;
    this.#draw = draw;
    this.#offset = traits.int(0, 11);
    this.#withTargets = !traits.chance(0.03);
    this.#optimism = traits.between(-0.05, 0.09);
    this.#prompt = prompt;
  }

  /** Coverage is open but for a pause in some spells of twelve quarters: it ends, is away, and opens again. */
  #spell(index: number): Spell {
    const number = Math.floor((index + this.#offset) / 12);
    const draw = this.#draw.at("spell", number);
    if (!draw.chance(0.2)) return { state: "open", ending: "" };
    const pause = draw.int(1, 8);
    const ending = draw.pick(["Terminates Coverage On", "Terminates Coverage On", "Suspends", "Suspends", "Removes"]);
    const place = index + this.#offset - number * 12 - pause;
    const state = place === 0 ? "ending" : place === 1 ? "closed" : place === 2 ? "opening" : "open";
    return { state, ending };
  }

  #analyst(index: number): Analyst {
    const draw = this.#draw.at("analyst", Math.floor((index + this.#offset) / 12));
    const usual = this.#draw.at("usual analyst");
    return (draw.chance(0.25) ? draw : usual).pick(this.#firm.analysts);
  }

  /** 0 buys, 1 holds, 2 sells: decided at the latest turn, leaning on how the price had moved by then. */
  #rating(index: number): { side: number; word: string } {
    let turn = index;
    while (turn > index - turnMemoryInQuarters && !this.#draw.at("turn", turn).chance(0.085)) turn--;
    // No turn within memory: the opinion held from the start.
    if (turn === index - turnMemoryInQuarters) turn = 0;
    const draw = this.#draw.at("side", turn);
    const move = this.#company.level(turn) / this.#company.level(turn - 2) - 1;
    const luck = draw.unit();
    const buys = clamp(0.58 + move * 0.7, 0.35, 0.8);
    const side = luck < buys ? 0 : luck < 0.93 + move * 0.1 ? 1 : 2;
    // A firm with two words for one side uses only one of them for a company: every change of rating is a real one.
    return { side, word: this.#draw.at("word", side).pick(this.#firm.scale[side] as readonly string[]) };
  }

  #target(index: number, occasion: number, side: number): number | undefined {
    if (!this.#withTargets) return undefined;
    const draw = this.#draw.at("target", index * 3 + occasion);
    const factor = [1.14, 1.0, 0.83][side] as number;
    const dollars = this.#company.level(index) * (factor + this.#optimism + draw.between(-0.025, 0.025));
    const step = dollars < 8 ? 0.25 : dollars < 25 ? 0.5 : dollars < 120 ? 1 : dollars < 900 ? 5 : 25;
    return Math.round(dollars / step) * step * 100;
  }

  #speaks(index: number, occasion: number, state: Spell["state"]): boolean {
    if (state === "closed" || (state === "ending" && occasion === 2)) return false;
    if ((state === "ending" && occasion === 1) || (state === "opening" && occasion === 0)) return true;
    if (this.#prompt && occasion === 0) return true;
    const { chance } = occasions[occasion] as (typeof occasions)[number];
    return this.#draw.at("speaks", index * 3 + occasion).chance(chance);
  }

  *opinions(fromDay: number, toDay: number): Generator<Opinion> {
    let before: Standing | undefined;
    const around = [...this.#company.quartersAround(fromDay, toDay)];
    const first = (around[0]?.index ?? 0) - 1;
    const last = around.at(-1)?.index ?? 0;
    for (let index = first - memoryInQuarters; index <= last; index++) {
      const { state, ending } = this.#spell(index);
      for (let occasion = 0; occasion < 3; occasion++) {
        if (!this.#speaks(index, occasion, state)) continue;
        const ends = state === "ending" && occasion === 1;
        const { side, word } = this.#rating(index);
        const standing: Standing = {
          index,
          rating: ends ? "" : word,
          target: ends ? undefined : this.#target(index, occasion, side),
          analyst: this.#analyst(index),
          ended: ends ? ending : "",
        };
        const known = before && index - before.index <= memoryInQuarters ? before : undefined;
        before = standing;
        if (index < first) continue;
        const opinion = this.#opinion(index, occasion, standing, known);
        if (opinion.day >= fromDay && opinion.day <= toDay) yield opinion;
      }
    }
  }

  #opinion(index: number, occasion: number, at: Standing, before: Standing | undefined): Opinion {
    const draw = this.#draw.at("opinion", index * 3 + occasion);
    const { from, to } = occasions[occasion] as (typeof occasions)[number];
    const lag = this.#prompt && occasion === 0 ? 1 : draw.int(from, to);
    const firm = this.#firm;
    return {
      company: this.#company,
      firm,
      analyst: at.analyst,
      day: tradingDaysLater(this.#company.quarter(index).reportDay, lag),
      clock: morning(draw),
      ...actionsOf(at, before, (word) => firm.words.indexOf(word) - firm.words.indexOf(at.rating)),
      rating: at.rating,
      ratingBefore: before?.rating ?? "",
      target: at.target,
      targetBefore: before?.target,
      draw,
    };
  }
}

function morning(draw: Draw): number {
  const hour = draw.pick([5, 6, 6, 7, 7, 7, 8, 8, 9, 9, 10, 11, 13]);
  return clockAt(hour, draw.int(0, 59), draw.int(0, 59));
}

/** `better` says by how many steps the rating is better than one worded so. */
function actionsOf(
  at: Standing,
  before: Standing | undefined,
  better: (word: string) => number,
): { action: string; targetAction: string } {
  if (at.ended) return { action: at.ended, targetAction: before?.target === undefined ? "" : "Removes" };
  if (!before || before.ended) {
    const action = before?.ended === "Suspends" ? "Reinstates" : "Initiates Coverage On";
    return { action, targetAction: at.target === undefined ? "" : "Announces" };
  }
  const steps = better(before.rating);
  const moved = (at.target ?? 0) - (before.target ?? 0);
  const targetAction = at.target === undefined ? "" : moved > 0 ? "Raises" : moved < 0 ? "Lowers" : "Maintains";
  if (steps > 0) return { action: "Upgrades", targetAction };
  if (steps < 0) return { action: "Downgrades", targetAction };
  if (at.analyst !== before.analyst) return { action: "Assumes", targetAction: moved === 0 ? targetAction : "Adjusts" };
  return { action: moved === 0 ? "Reiterates" : "Maintains", targetAction };
}

/** A small house follows a few companies for one year: it initiates, speaks once more, and is dissolved. */
function* shortLivedOpinions(company: Company, firm: Firm, year: number): Generator<Opinion> {
  const draw = company.draw.at("short-lived", year);
  if (!draw.chance(0.07)) return;
  const index = year * 4;
  const analyst = draw.pick(firm.analysts);
  const rating = (firm.scale[draw.int(0, 1)] as readonly string[])[0] as string;
  const target = (quarter: number) => Math.round(company.level(quarter) * draw.between(1.02, 1.2)) * 100;
  const first: Standing = { index, rating, target: target(index - 1), analyst, ended: "" };
  const second: Standing = { index, rating, target: target(index + 1), analyst, ended: "" };
  const third: Standing = { index, rating: "", target: undefined, analyst, ended: "Firm Dissolved" };
  const days = [dayOf(year, 2, 3) + draw.int(0, 24), dayOf(year, 8, 5) + draw.int(0, 20), dayOf(year, 10, 15)];
  let before: Standing | undefined;
  for (const [place, at] of [first, second, third].entries()) {
    const own = draw.at("opinion", place);
    yield {
      company,
      firm,
      analyst,
      day: tradingDayFrom(days[place] as number),
      clock: morning(own),
      ...actionsOf(at, before, () => 0),
      rating: at.rating,
      ratingBefore: before?.rating ?? "",
      target: at.target,
      targetBefore: before?.target,
      draw: own,
    };
    before = at;
  }
}

/** Every opinion on these companies from one day to another, both inclusive. */
export function* opinionsOn(
  companies: readonly Company[],
  root: Draw,
  fromDay: number,
  toDay: number,
): Generator<Opinion> {
  const firms = firmsOf(root);
  for (const company of companies) {
    // Reports that are spread over the year bring opinions to every trading day.
    const chance = company.slot ? 0.12 : 0.06 + 0.03 * company.importance;
    let prompt = company.slot !== undefined;
    for (const firm of firms) {
      const draw = company.draw.at("coverage").at(firm.name);
      if (!draw.chance(chance)) continue;
      yield* new Coverage(company, firm, draw, prompt).opinions(fromDay, toDay);
      prompt = false;
    }
  }
  for (let year = yearOf(fromDay); year <= yearOf(toDay); year++) {
    const firm = shortLivedFirm(year, root);
    for (const company of companies) {
      for (const opinion of shortLivedOpinions(company, firm, year)) {
        if (opinion.day >= fromDay && opinion.day <= toDay) yield opinion;
      }
    }
  }
}
