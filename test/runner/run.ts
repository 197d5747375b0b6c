// `npm test` and `npm run test:long`: starts PostgreSQL, runs the test files over all cores, and reports.
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { type BatchResult, runBatch } from "./batch.ts";
import { batchesOf, selectFiles } from "./files.ts";
import { scratchDirectory } from "./scratch.ts";
import { batchLine, closingLine, failureText, slowestFiles, storeCounts, totalsOf } from "./summary.ts";

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
const batches = batchesOf(files);

// Set before anything asks for the directory of temporary files; inherited by every process of the run.
process.env.TMPDIR = scratchDirectory();
// A signal ends the run through "exit" handlers, which remove what it has written.
for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => process.exit(1));

// The page is tested as it is built; an earlier build may be older than its source.
if (files.some((file) => file.startsWith("test/page"))) await import("../../web/prepare.ts");
const { makePostgres } = await import("../support/postgres.ts");
const external = process.env.BELLWIRE_TEST_DATABASE;
const server = external === undefined ? await makePostgres() : undefined;
await server?.start();

const environment: NodeJS.ProcessEnv = {
  ...process.env,
  BELLWIRE_TEST_DATABASE: external ?? server?.url,
  BELLWIRE_TEST_LONG: String(values.long),
  // Hundreds of processes load the same source: each after the first finds it compiled.
  NODE_COMPILE_CACHE: join(import.meta.dirname, "..", "..", "node_modules", ".cache", "compiled"),
};
const started = performance.now();
const finished: BatchResult[] = [];
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
  await Promise.all(Array.from({ length: availableParallelism() }, worker));
} finally {
  await server?.remove();
}
const totals = totalsOf(finished);
if (values.long || values.slowest !== undefined) print(slowestFiles(finished, Number(values.slowest ?? 20)));
print(`${files.length} files in ${((performance.now() - started) / 1000).toFixed(0)} s`);
print(storeCounts(finished));
for (const result of finished) if (!result.ok) print(batchLine(result));
print(closingLine(totals));
process.exitCode = totals.failed > 0 ? 1 : 0;
