// Requests with hardly overlapping filters on many news items, on an otherwise idle server.
import type { BenchRequest } from "../../driver/request.ts";
import { largeNewsData, type Stage, startStage } from "../stage.ts";
import { type Figure, ms, type Scenario } from "./finding.ts";

const limitMs = 500;
const times = 3;

/** Varied, so that no response is cached. */
const queries: readonly ((run: number) => string)[] = [
  (run) => `region=UY&sort=id:desc&pageSize=${20 + run}`,
  (run) => `region=UY&updatedSince=0&pageSize=${20 + run}`,
  (run) => `importance=high&dateTo=2024-06-28&sort=id:desc&pageSize=${20 + run}`,
  (run) => `sort=id:asc&page=${700 + run}&pageSize=100`,
];

export const largeLists: Scenario = {
  name: "large lists",
  run: async () => {
    const stage = await startStage(await largeNewsData());
    try {
      const tickers = stage.tickers.slice(-50).join(",");
      const figures: Figure[] = [];
      await timedRequest(stage, { path: "/api/v2/news" });
      for (const query of queries) {
        const runs: { status: string; ms: number }[] = [];
        for (let run = 0; run < times; run++) {
          runs.push(await timedRequest(stage, { path: `/api/v2/news?${query(run)}&tickers=${tickers}` }));
        }
        const worst = Math.max(...runs.map((run) => run.ms));
        const statuses = [...new Set(runs.map(({ status }) => status))];
        figures.push({
          what: `${query(0)}&tickers=<50>`,
          value: `${statuses.join(", ")}; ${runs.map((run) => ms(run.ms)).join(", ")} ms`,
          target: `200, < ${limitMs} ms`,
          isMet: statuses.join() === "200" && worst < limitMs,
        });
      }
      return figures;
    } finally {
      await stage.stop();
    }
  },
};

async function timedRequest({ url, keys }: Stage, { path }: BenchRequest): Promise<{ status: string; ms: number }> {
  const began = performance.now();
  const status = await fetch(`${url}${path}`, {
    headers: { authorization: `Bearer ${keys.good}` },
    signal: AbortSignal.timeout(120_000),
  }).then(
    async (response) => {
      await response.text();
      return String(response.status);
    },
    () => "failed",
  );
  return { status, ms: performance.now() - began };
}
