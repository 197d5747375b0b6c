// Runs the tests: starts one PostgreSQL for all of them, unless BELLWIRE_TEST_DATABASE names another server, and says
// how many tests ran on each store.
import { spawn } from "node:child_process";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { makePostgres } from "./postgres.ts";

const given = process.env.BELLWIRE_TEST_DATABASE;
const server = given === undefined ? await makePostgres() : undefined;
await server?.start();
const patterns = process.argv.slice(2);
// The page is tested as it is built; what was built last may be older than its source.
if (patterns.length === 0 || patterns.some((pattern) => pattern.includes("page"))) await import("../../web/prepare.ts");
// Hundreds of processes load the same source: each after the first finds it compiled.
const compiled = join(import.meta.dirname, "..", "..", "node_modules", ".cache", "compiled");
const counts = { sqlite: 0, postgres: 0 };
let status = 1;
try {
  const args = [
    "--test",
    // Left alone, it would take one core fewer than there are.
    `--test-concurrency=${availableParallelism()}`,
    "--test-reporter=spec",
    "--test-reporter-destination=stdout",
    "--test-reporter=./test/support/count-reporter.ts",
    "--test-reporter-destination=stderr",
  ];
  const child = spawn(process.execPath, [...args, ...(patterns.length > 0 ? patterns : ["test/**/*.test.ts"])], {
    env: { ...process.env, BELLWIRE_TEST_DATABASE: given ?? server?.url, NODE_COMPILE_CACHE: compiled },
    stdio: ["ignore", "inherit", "pipe"],
  });
  for await (const line of createInterface({ input: child.stderr })) {
    const store = /^#store (sqlite|postgres)$/.exec(line)?.[1] as keyof typeof counts | undefined;
    if (store === undefined) process.stderr.write(`${line}\n`);
    else counts[store]++;
  }
  status = await new Promise((resolve) =>
    child.exitCode === null ? child.once("exit", (code) => resolve(code ?? 1)) : resolve(child.exitCode),
  );
} finally {
  await server?.remove();
}
process.stdout.write(
  `tests of the store and the endpoints: ${counts.sqlite} on SQLite, ${counts.postgres} on PostgreSQL\n`,
);
process.exitCode = status;
