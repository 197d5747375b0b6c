// Two clients that search the demo's news for a common word repeated: more often than allowed, and as often as allowed.
import { setTimeout as pause } from "node:timers/promises";
import type { Kind } from "../abusers/kinds.ts";
import { demoData } from "../stage.ts";
import { type Figure, failures, ms, type Scenario, under } from "./finding.ts";
import { met, watching } from "./watch.ts";

const stopLimitMs = 3000;

export const topics: Scenario = {
  name: "repeated words",
  run: async ({ seconds, say }) => {
    const data = await demoData();
    const figures: Figure[] = [];
    const forms: [Kind, string][] = [
      ["tooManyWords", "phrases of 250 characters"],
      ["commonWords", "most words allowed"],
    ];
    for (const [kind, what] of forms) {
      say(what);
      await watching(data, async ({ watch, withAbuse, stage }) => {
        const { result, abuse } = await withAbuse({ [kind]: 2 }, async () => {
          const { lists, livez } = await watch(seconds);
          return { lists, livez, stopMs: await stopped(stage.pid) };
        });
        figures.push(
          under(`${what}, /livez`, result.livez, 50),
          under(`${what}, lists`, result.lists, 50),
          failures(`${what}, lists`, result.lists),
          {
            what: `${what}, SIGTERM to exit`,
            value: result.stopMs === undefined ? `> ${patienceMs} ms` : `${ms(result.stopMs)} ms`,
            target: `< ${stopLimitMs} ms`,
            isMet: result.stopMs !== undefined && result.stopMs < stopLimitMs,
          },
          { what: `${what}, what the two clients got`, value: met(abuse) },
        );
      });
    }
    return figures;
  },
};

const patienceMs = 30_000;

/** Milliseconds from SIGTERM to the end of a process; undefined when it had to be killed. */
async function stopped(pid: number): Promise<number | undefined> {
  const began = performance.now();
  process.kill(pid, "SIGTERM");
  while (performance.now() - began < patienceMs) {
    await pause(20);
    try {
      process.kill(pid, 0);
    } catch {
      return performance.now() - began;
    }
  }
  process.kill(pid, "SIGKILL");
  return undefined;
}
