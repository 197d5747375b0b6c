// Decides which rounds count: those disturbed by other programs don't.
import { median } from "../benchmark.ts";
import type { Run } from "../driver/driver.ts";

/** How far a round's baseline may deviate from its median over the rounds. */
const mostDrift = 0.2;
/** CPU time of other programs, relative to one core, and steal time of a virtual machine. */
const mostOthers = 0.25;
const mostSteal = 0.05;

/** The runs of one round, by lane. */
export type Round = ReadonlyMap<string, Run>;

/** Why each round doesn't count; undefined if it does. */
export function noiseOf(rounds: readonly Round[], yardstick: string): (string | undefined)[] {
  const speeds = rounds.map((round) => round.get(yardstick)?.perSecond ?? 0);
  const usual = median(speeds);
  return rounds.map((round, place) => {
    const drift = Math.abs((speeds[place] ?? 0) / usual - 1);
    const worst = (share: "othersShare" | "stealShare") =>
      Math.max(...[...round.values()].map((run) => run[share] ?? 0));
    if (worst("othersShare") > mostOthers) return `other programs took ${percent(worst("othersShare"))} of a core`;
    if (worst("stealShare") > mostSteal) return `the host took ${percent(worst("stealShare"))} of a core`;
    if (drift > mostDrift) return `${yardstick} was ${percent(drift)} off its median`;
    return undefined;
  });
}

export const percent = (share: number): string => `${Math.round(share * 100)} %`;
