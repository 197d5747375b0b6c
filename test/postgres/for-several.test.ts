// Every request whose page is quick on PostgreSQL may be asked with others of its kind: the server takes the statement for
// several, and each of them gets the page that it gets alone.
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import fc from "fast-check";
import { catalog } from "../../src/resources/catalog.ts";
import { unsearched } from "../../src/store/postgres/dialect.ts";
import { forSeveral } from "../../src/store/postgres/for-several.ts";
import type { Store } from "../../src/store/store.ts";
import { isQuick } from "../../src/store/walks.ts";
import { testNow } from "../support/api.ts";
import { makeSchema } from "../support/postgres.ts";
import { crowd, sample, seed } from "../support/records.ts";
import { requests, rowsOf, understand } from "../support/requests.ts";
import { openTestStore, stores } from "../support/stores.ts";
import { withClient } from "./waiting.ts";

describe("a statement for several [postgres]", { skip: !stores.includes("postgres") }, () => {
  let schema: Awaited<ReturnType<typeof makeSchema>>;
  let store: Store;

  before(async () => {
    const server = process.env.BELLWIRE_TEST_DATABASE ?? "";
    schema = await makeSchema(server, `kinds_${process.pid}_${Date.now().toString(36)}`);
    store = await openTestStore(schema.url, () => testNow);
  });

  after(async () => {
    await store?.close();
    await schema?.drop();
  });

  for (const resource of catalog) {
    test(`${resource.name}: gives each its page`, async () => {
      const records = sample(crowd(resource, 120));
      const rows = rowsOf(resource, records);
      const given = rows.map((row) => ({ row, stamped: false }));
      await store.put(resource, given);
      const urls = fc.sample(requests(resource, records, rows), { seed, numRuns: 400 });
      const plans = urls.flatMap((url) => understand(resource, url)?.plan ?? []);
      const quick = plans.filter((plan) => isQuick(plan, unsearched));
      assert.ok(quick.length >= 20, `${quick.length} quick requests`);
      await withClient(schema.url, async (client) => {
        for (const plan of quick) {
          const { sql, parameters } = await store.explain(plan);
          const values = parameters.map((value) => [value, value]);
          const { records: page, count } = await store.page(plan);
          const answers = (await client.query(forSeveral({ sql, parameters }), values)).rows;
          const told = answers.map((row) => [row.n, row.page, row.found]);
          const expected = ["1", "2"].map((n) => [n, page, String(count)]);
          assert.deepEqual(told, expected, `${sql} ${JSON.stringify(plan.where)} (BELLWIRE_TEST_SEED=${seed})`);
        }
      });
    });
  }
});
