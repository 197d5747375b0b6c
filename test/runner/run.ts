// `npm test` and `npm run test:long`: prepares what the tests share, runs their files over all cores, and reports.
import { availableParallelism } from "node:os";
import { parseArgs } from "node:util";
import { type BatchResult, runBatch } from "./batch.ts";
import { batchesOf, selectFiles } from "./files.ts";
import { scratchDirectory } from "./scratch.ts";
import { batchLine, browserSkips, closingLine, failureText, slowestFiles, storeCounts, totalsOf } from "./summary.ts";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { long: { type: "boolean", default: false }, slowest: { type: "string" } },
});
const print = (text: string): boolean => process.stdout.write(`${text}\n`);

const files = selectFiles({ patterns: positionals, long: values.long });
if (files.length === 0) {
  print(`no test file matches ${positionals.join(" ")}`);
  process.exit(1);
}
const started = performance.now();
// Set before anything uses the directory of temporary files; every process of the run inherits it.
process.env.TMPDIR = scratchDirectory();
// A signal ends the run through "exit" handlers, which stop servers and remove files.
for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => process.exit(1));

const batches = batchesOf(files);
const finished: BatchResult[] = [];
const { prepare } = await import("./environment.ts");
const { environment, release } = await prepare(files, values.long);
const queue = [...batches];

async function worker(): Promise<void> {
  for (let batch = queue.shift(); batch !== undefined; batch = queue.shift()) {
    const result = await runBatch(batch, environment, batches.length === 1);
    finished.push(result);
    if (batches.length === 1) continue;
    print(batchLine(result));
    if (positionals.length > 0) print(result.output);
    else if (!result.ok) print(failureText(result));
  }
}

try {
  // One more than there are cores, since many tests wait for a timer, a database, or another process. Yet another would
  // fill the remaining idle time, but make everything take more CPU time.
  await Promise.all(Array.from({ length: availableParallelism() + 1 }, worker));
} finally {
  await release();
}
const totals = totalsOf(finished);
const skips = await browserSkips(finished);
if (values.long || values.slowest !== undefined) print(slowestFiles(finished, Number(values.slowest ?? 20)));
print(`${files.length} files in ${((performance.now() - started) / 1000).toFixed(0)} s`);
print(storeCounts(finished));
for (const result of finished) if (!result.ok) print(batchLine(result));
print(closingLine(totals));
if (skips !== undefined) print(skips.line);
process.exitCode = totals.failed > 0 || skips?.isFailure ? 1 : 0;
