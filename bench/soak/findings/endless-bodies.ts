// Eight compressed request bodies that never end and are stored atomically, with a heap of 512 MB.
import { usageOf } from "../../driver/machine.ts";
import { benchData } from "../stage.ts";
import { failures, type Scenario, under } from "./finding.ts";
import { met, watching } from "./watch.ts";

const bodies = 8;
const forSeconds = 60;

export const endlessBodies: Scenario = {
  name: "endless bodies",
  run: async ({ say }) =>
    watching(
      await benchData(say),
      async ({ stage, watch, withAbuse }) => {
        const before = usageOf([stage.pid])?.rssBytes ?? 0;
        let most = 0;
        const sampling = setInterval(() => {
          most = Math.max(most, usageOf([stage.pid])?.rssBytes ?? 0);
        }, 250);
        const { result, abuse } = await withAbuse({ endlessBody: bodies }, () => watch(forSeconds));
        clearInterval(sampling);
        const isAlive = await fetch(`${stage.url}/livez`).then(
          ({ ok }) => ok,
          () => false,
        );
        return [
          { what: `alive after ${forSeconds} s`, value: isAlive ? "yes" : "no", target: "yes", isMet: isAlive },
          { what: "memory (RSS) before, most", value: `${megabytes(before)}, ${megabytes(most)}` },
          under("/livez", result.livez, 50),
          under("lists", result.lists, 50),
          failures("lists", result.lists),
          { what: "what the bodies got", value: met(abuse) },
        ];
      },
      { nodeFlags: ["--max-old-space-size=512"] },
    ),
};

const megabytes = (bytes: number): string => `${(bytes / 1e6).toFixed(0)} MB`;
