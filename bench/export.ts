// Exports over HTTP, 100,000 records per request, relative to the export command, with their peak memory.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { type Benchmark, inFolder, median, type Options, printTable, type Result, spread } from "./benchmark.ts";
import { cli, startBellwire } from "./contenders/bellwire.ts";
import { peakMemoryOf } from "./driver/machine.ts";
import { type BenchData, sqliteData } from "./records/database.ts";

const list = "/api/v2.1/calendar/ratings";
const perRequest = 100_000;
const formats = ["ndjson", "csv"] as const;

type Cost = { readonly seconds: number; readonly peakBytes: number };
type Round = Readonly<Record<(typeof formats)[number], { readonly http: Cost; readonly command: Cost }>>;

export const exportBenchmark: Benchmark = {
  name: "export",
  about: "1,000,000 ratings over HTTP as NDJSON and CSV, against the export command",
  fullOnly: true,
  run: async (options) => {
    const ratings = options.ratings ?? (options.quick ? 100_000 : 1_000_000);
    const data = await sqliteData({ ratings, news: 100, earnings: 100 }, options.say);
    return inFolder((folder) => measure(data, folder, options));
  },
};

async function measure(data: BenchData, folder: string, options: Options): Promise<Result> {
  const rounds: Round[] = [];
  for (let at = 0; at < (options.rounds ?? (options.quick ? 1 : 3)); at++) {
    const results: [string, Round["csv"]][] = [];
    for (const format of formats) {
      const http = await overHttp(data, format);
      const command = await byCommand(data, format, join(folder, `ratings.${format}`));
      options.say(`${format}: ${http.seconds.toFixed(1)} s over HTTP, ${command.seconds.toFixed(1)} s by the command`);
      results.push([format, { http, command }]);
    }
    rounds.push(Object.fromEntries(results) as Round);
  }
  const { ratings } = data.sizes;
  const rows = formats.map((format) => {
    const of = (figure: (each: Round["csv"]) => number) => rounds.map((round) => figure(round[format]));
    const megabytes = (bytes: readonly number[]) => `${Math.round(median(bytes) / 2 ** 20)} MB`;
    const ratios = of(({ http, command }) => command.seconds / http.seconds);
    return [
      format,
      String(Math.round(ratings / median(of(({ http }) => http.seconds)))),
      megabytes(of(({ http }) => http.peakBytes)),
      String(Math.round(ratings / median(of(({ command }) => command.seconds)))),
      megabytes(of(({ command }) => command.peakBytes)),
      `${median(ratios).toFixed(2)} (${spread(ratios)})`,
    ];
  });
  const head = ["format", "records/s", "server's peak", "command's", "command's peak", "speed relative to it"];
  return {
    sizes: { ratings, rounds: rounds.length },
    text: printTable(head, rows),
    missed: 0,
    figures: { rounds },
  };
}

/** Follows the links until all records have been read. */
async function overHttp({ file, token, sizes }: BenchData, format: string): Promise<Cost> {
  const server = await startBellwire(file);
  try {
    const start = performance.now();
    let lines = 0;
    let next: string | undefined = `${list}?output=${format}&limit=${perRequest}`;
    while (next !== undefined) {
      const response = await fetch(new URL(next, server.url), {
        headers: { authorization: `Bearer ${token}`, "accept-encoding": "identity" },
      });
      if (response.status !== 200 || response.body === null) throw new Error(await response.text());
      for await (const chunk of response.body) for (const byte of chunk as Uint8Array) if (byte === 0x0a) lines++;
      // The header of each file.
      if (format === "csv") lines--;
      next = /^<(.*)>; rel="next"$/.exec(response.headers.get("link") ?? "")?.[1];
    }
    if (lines !== sizes.ratings) throw new Error(`received ${lines} of ${sizes.ratings} records`);
    return { seconds: (performance.now() - start) / 1000, peakBytes: peakMemoryOf(server.pid) ?? 0 };
  } finally {
    await server.stop();
  }
}

async function byCommand({ file }: BenchData, format: string, output: string): Promise<Cost> {
  const start = performance.now();
  const args = [cli, "export", "ratings", "--database", file, "--format", format, "--output", output];
  const child = spawn(process.execPath, args, { stdio: ["ignore", "inherit", "inherit"] });
  let peakBytes = 0;
  const sampling = setInterval(() => {
    peakBytes = Math.max(peakBytes, peakMemoryOf(child.pid ?? 0) ?? 0);
  }, 50);
  const [status] = (await once(child, "close")) as [number];
  clearInterval(sampling);
  if (status !== 0) throw new Error(`the export ended with status ${status}`);
  return { seconds: (performance.now() - start) / 1000, peakBytes };
}
