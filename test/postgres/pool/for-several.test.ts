// Every request whose page is quick on PostgreSQL may be asked with others of its kind: the server takes the statement for
// several, and each of them gets the page that it gets alone.
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import fc from "fast-check";
import type { Plan } from "../../../src/core/query/plan.ts";
import { catalog } from "../../../src/resources/catalog.ts";
import { unsearched } from "../../../src/store/postgres/dialect.ts";
import { forSeveral } from "../../../src/store/postgres/for-several.ts";
import { isQuick } from "../../../src/store/sql/index-scan.ts";
import type { Store } from "../../../src/store/store.ts";
import { runs } from "../../support/budget.ts";
import { testNow } from "../../support/clients/api.ts";
import { crowd, sample, seed } from "../../support/records/records.ts";
import { requests, rowsOf, understand } from "../../support/requests/requests.ts";
import { type OwnPostgres, openTestStore, ownPostgres, stores } from "../../support/stores/stores.ts";
import { withClient } from "./waiting.ts";

describe("a statement for several [postgres]", { skip: !stores.includes("postgres") }, () => {
  let database: OwnPostgres;
  let store: Store;

  before(async () => {
    database = await ownPostgres("kinds");
    store = await openTestStore(database.url, () => testNow);
  });

  after(async () => {
    await store?.close();
    await database?.drop();
  });

  type Asked = { readonly plan: Plan; readonly parameters: readonly unknown[] };

  async function byStatement(plans: readonly Plan[]): Promise<ReadonlyMap<string, readonly Asked[]>> {
    const found = new Map<string, Asked[]>();
    for (const plan of plans) {
      const { sql, parameters } = await store.explain(plan);
      found.set(sql, [...(found.get(sql) ?? []), { plan, parameters }]);
    }
    return found;
  }

  for (const resource of catalog) {
    test(`${resource.name}: gives each its page`, async () => {
      const records = sample(crowd(resource, 120));
      const rows = rowsOf(resource, records);
      const given = rows.map((row) => ({ row, stamped: false }));
      await store.put(resource, given);
      const urls = fc.sample(requests(resource, records, rows), { seed, numRuns: runs(150, 400) });
      const plans = urls.flatMap((url) => understand(resource, url)?.plan ?? []);
      const quick = plans.filter((plan) => isQuick(plan, unsearched));
      assert.ok(quick.length >= runs(8, 20), `${quick.length} quick requests`);
      await withClient(database.url, async (client) => {
        for (const [sql, some] of await byStatement(quick)) {
          const { parameters } = some[0] ?? assert.fail();
          const values = parameters.map((_, at) => some.map((each) => each.parameters[at]));
          const told = (await client.query(forSeveral({ sql, parameters }), values)).rows;
          const alone = await Promise.all(some.map(({ plan }) => store.page(plan)));
          assert.deepEqual(
            told.map((row) => [row.n, row.page, row.found]),
            alone.map(({ records: page, count }, at) => [String(at + 1), page, String(count)]),
            `${sql} ${values.join("; ")} (BELLWIRE_TEST_SEED=${seed})`,
          );
        }
      });
    });
  }
});
