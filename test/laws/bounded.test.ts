// Law: every request is bounded, whatever it combines. In `npm test` the bound is on the work of its statement among a few
// thousand records, which is the same in every run; in `npm run test:long` on its time among 100,000 of each resource.
import assert from "node:assert/strict";
import { DatabaseSync, type SQLInputValue } from "node:sqlite";
import { after, before } from "node:test";
import { catalog } from "../../src/resources/catalog.ts";
import type { Store } from "../../src/store/store.ts";
import { isLong, runs } from "../support/budget.ts";
import type { Api } from "../support/clients/api.ts";
import { putLargeRecords } from "../support/records/large-records.ts";
import { seed } from "../support/records/records.ts";
import { type BroadRequest, broadExtensionRequests, broadRequests } from "../support/requests/broad-requests.ts";
import { onEveryStore } from "../support/stores/every-store.ts";
import { connectForAnalysis, explainAnalyze } from "../support/stores/explain-analyze.ts";
import { dropSchema, type StoreName } from "../support/stores/stores.ts";

// Verified by starting with the first list of a request instead of the rarest, and by always scanning the order: each
// fails here, on both databases.
const recordCount = runs(3000, 100_000);
const requestCount = runs(40, 400);

/**
 * Steps of SQLite's virtual machine, and blocks that PostgreSQL reads. The day counts take most of either: they cover 400
 * days of seven resources, and subtract what a key's delay hides.
 */
const mostWork = { sqlite: 120_000, postgres: 8000 };

/** On an idle core. */
const mostMs = 300;

/** A busy machine may be slow for a moment, but hardly every time. */
const tries = 8;

let made: readonly BroadRequest[] | undefined;

/** The same on every store. */
function allRequests(): readonly BroadRequest[] {
  made ??= [
    ...catalog.flatMap((resource) => broadRequests(resource, recordCount, requestCount, seed)),
    ...broadExtensionRequests(),
  ];
  return made;
}

type Measured = { readonly name: string; readonly cost: number };

function assertBounded(measured: readonly Measured[], most: number, unit: string): void {
  const slowest = measured.toSorted((a, b) => b.cost - a.cost).slice(0, 20);
  const lines = slowest.map(({ name, cost }) => `${cost.toFixed(0).padStart(8)} ${unit}  ${name}`);
  const report = `the twenty most expensive of ${measured.length} requests (seed ${seed}):\n${lines.join("\n")}`;
  if (isLong) process.stdout.write(`${report}\n`);
  assert.ok((slowest[0]?.cost ?? 0) <= most, `more than ${most} ${unit}; ${report}`);
}

onEveryStore("the cost of a request", (test, store) => {
  // PostgreSQL also reads the blocks of what earlier tests have deleted, and later tests those of this one.
  before(dropSchema);
  after(dropSchema);
  if (isLong) {
    test(`no combination of parameters takes longer than ${mostMs} ms among ${recordCount} records`, async (api) => {
      await putLargeRecords(api.store, recordCount);
      const measured: Measured[] = [];
      for (const { name, plan } of allRequests()) measured.push({ name, cost: await quickest(api.store, plan) });
      assertBounded(measured, mostMs, "ms");
    });
    return;
  }
  test("no combination of parameters reads many more records than it returns", async (api) => {
    await putLargeRecords(api.store, recordCount);
    const work = await meters[store](api);
    try {
      const measured: Measured[] = [];
      for (const { name, plan } of allRequests()) {
        const { sql, parameters } = await api.store.explain(plan);
        measured.push({ name, cost: await work.of(sql, parameters) });
      }
      assertBounded(measured, mostWork[store], store === "sqlite" ? "steps" : "blocks");
    } finally {
      await work.end();
    }
  });
});

async function quickest(store: Store, plan: BroadRequest["plan"]): Promise<number> {
  let best = Number.POSITIVE_INFINITY;
  for (let n = 0; n < tries && best > mostMs / 6; n++) {
    const start = performance.now();
    await store.page(plan);
    best = Math.min(best, performance.now() - start);
  }
  return best;
}

type Meter = { of(sql: string, parameters: readonly unknown[]): Promise<number>; end(): Promise<void> };

/** Not in the types, nor in every supported version of Node: without it, only PostgreSQL is measured. */
type Counting = { stat?: (counter: "vmStep") => number };

const meters: Readonly<Record<StoreName, (api: Api) => Promise<Meter>>> = {
  sqlite: async ({ file }) => {
    const db = new DatabaseSync(file, { readOnly: true });
    db.function("in_time", () => 1);
    return {
      of: async (sql, parameters) => {
        const statement = db.prepare(sql);
        statement.setReadBigInts(true);
        statement.all(...(parameters as SQLInputValue[]));
        return (statement as Counting).stat?.("vmStep") ?? 0;
      },
      end: async () => db.close(),
    };
  },
  postgres: async ({ file }) => {
    const client = await connectForAnalysis(file);
    return {
      of: async (sql, parameters) => {
        const plan = await explainAnalyze(client, { sql, parameters });
        return Number(plan["Shared Hit Blocks"]) + Number(plan["Shared Read Blocks"]);
      },
      end: () => client.end(),
    };
  },
};
