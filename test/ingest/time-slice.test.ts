// Bodies with many small records yield the event loop: together they take one slice of an iteration.
import assert from "node:assert/strict";
import { test } from "node:test";
import { importRecords } from "../../src/ingest/import.ts";
import type { Store } from "../../src/store/store.ts";
import { resourceNamed } from "../support/clients/api.ts";

const imports = 6;
const recordsEach = 100;

test("concurrent imports share one time slice of each event-loop iteration", async () => {
  const perIteration: number[] = [];
  let rejected = 0;
  let isOver = false;
  const count = () => {
    perIteration.push(rejected);
    rejected = 0;
    if (!isOver) setImmediate(count);
  };
  const onRefused = () => {
    rejected++;
    for (const until = performance.now() + 1; performance.now() < until; );
  };
  const junk = Array.from({ length: recordsEach }, (_, line) => ({ line: line + 1, value: 1 }));
  const running = Array.from({ length: imports }, () =>
    importRecords({} as Store, resourceNamed("ratings"), [junk], { now: 0, onRefused }),
  );
  setImmediate(count);
  const reports = await Promise.all(running);
  isOver = true;
  assert.deepEqual(
    reports.map((report) => report.refused),
    Array(imports).fill(recordsEach),
  );
  // All imports start in the first iteration.
  const [, ...later] = perIteration;
  assert.ok(Math.max(...later) <= 32, `records of each iteration: ${perIteration}`);
});
