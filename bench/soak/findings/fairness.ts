// The effect of one abusive customer on all others: for the most harmful kinds of abuse, and for each kind alone.
import { setTimeout as pause } from "node:timers/promises";
import { type Crowd, everyKind, type Kind } from "../abusers/kinds.ts";
import { benchData } from "../stage.ts";
import { type Figure, fair, type Scenario, type ScenarioOptions } from "./finding.ts";
import { met, watching } from "./watch.ts";

const crowds: Readonly<Record<string, Crowd>> = {
  "change feed, 6 clients": { changeFeed: 6 },
  "junk JSON, 4 writers": { junkBody: 4 },
  "pipelining, 300 connections × 400 requests": { pipeliner: 300 },
  "slow readers, 40": { slowReader: 40 },
  "large pages, 8 readers": { largePage: 8 },
};

export const fairness: Scenario = {
  name: "fairness",
  run: (options) => fairnessOf(crowds, options),
};

export const everyAbuse: Scenario = {
  name: "every kind of abuse",
  run: (options) => {
    const kinds = Object.entries(everyKind) as [Kind, number][];
    return fairnessOf(
      Object.fromEntries(kinds.map(([kind, many]) => [`${kind} × ${many}`, { [kind]: many }])),
      options,
    );
  },
};

/** Each crowd on the same server, in sequence, with a measurement without abuse before each. */
const fairnessOf = async (all: Readonly<Record<string, Crowd>>, { seconds, say }: ScenarioOptions): Promise<Figure[]> =>
  watching(
    await benchData(say),
    async ({ stage, watch, withAbuse }) => {
      const figures: Figure[] = [];
      for (const [what, crowd] of Object.entries(all)) {
        await settled(stage.url);
        const { lists: calm } = await watch(Math.max(4, seconds / 2));
        const { result, abuse } = await withAbuse(crowd, () => watch(seconds));
        const figure = fair(what, calm, result.lists);
        say(`${what}: ${figure.value}; they got ${met(abuse)}`);
        figures.push(figure);
      }
      return figures;
    },
    { flags: ["--connections", "1000"] },
  );

const quickMs = 20;
const patienceSeconds = 40;

/** Waits until the server has recovered from the last crowd: ten quick responses in a row. */
async function settled(url: string): Promise<void> {
  const until = performance.now() + patienceSeconds * 1000;
  for (let quick = 0; quick < 10 && performance.now() < until; ) {
    const began = performance.now();
    await fetch(`${url}/livez`).then(
      (response) => response.text(),
      () => {},
    );
    quick = performance.now() - began < quickMs ? quick + 1 : 0;
    await pause(100);
  }
}
