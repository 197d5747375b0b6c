// A filter is one line in the catalog and one generated migration: on both databases, with existing records.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { after, before, describe, test } from "node:test";
import pg from "pg";
import { openapi } from "../../../src/docs/openapi/openapi.ts";
import { referencePages } from "../../../src/docs/reference.ts";
import { isPostgres } from "../../../src/settings/setting.ts";
import { backfillBatch } from "../../../src/store/schema/backfill.ts";
import { type Api, startApi } from "../../support/clients/api.ts";
import { ownPostgres, type StoreName, sqliteDatabase, stores, type TestDatabase } from "../../support/stores/stores.ts";
import { makeWorkshop, type Version, type Workshop } from "./generated-migrations.ts";
import { catalogs } from "./splits.ts";

const list = "/api/v2.1/calendar/stock-splits";
const path = `${list}?pagesize=1000`;
const venues = ["XNAS", "XNYS", ""];
/** More than one batch, and a bit. */
const records = Array.from({ length: backfillBatch + 5 }, (_, at) => ({
  id: `s${String(at).padStart(4, "0")}`,
  date: `2024-11-${String(1 + (at % 28)).padStart(2, "0")}`,
  ticker: `T${at % 7}`,
  venue: venues[at % 3],
}));
const idsOf = (venue: string): string[] => records.filter((each) => each.venue === venue).map(({ id }) => id);

let workshop: Workshop;
let plain: Version;
let unmigrated: Version;
let filtered: Version;

before(async () => {
  workshop = await makeWorkshop();
  const first = workshop.generate({ catalog: "plain", generated: [] }) ?? assert.fail("nothing was written");
  plain = { catalog: "plain", generated: [first] };
  await workshop.migrationsOf(plain);
  unmigrated = { catalog: "filtered", generated: [first] };
  const second = workshop.generate(unmigrated) ?? assert.fail("nothing was written");
  filtered = { catalog: "filtered", generated: [first, second] };
  await workshop.migrationsOf(filtered);
});
after(() => workshop.remove());

let services = 0;

async function serve(version: Version, database: string): Promise<Api> {
  return startApi({
    database,
    keyNames: `service-${++services}`,
    other: { catalog: catalogs[version.catalog], open: (name, now) => workshop.open(version, name, now) },
  });
}

async function freshDatabase(store: StoreName): Promise<TestDatabase> {
  if (store === "sqlite") return sqliteDatabase();
  const { url, drop } = await ownPostgres("filter");
  return { name: url, release: drop };
}

/** What clients may rely on. */
async function seen(api: Api): Promise<unknown> {
  const unfiltered = await api.fetch(path);
  const changes = await api.store.changes(0, 10_000);
  return { text: unfiltered.text, etag: unfiltered.headers.etag, changes };
}

async function execute(database: string, sql: string): Promise<void> {
  if (!isPostgres(database)) {
    const db = new DatabaseSync(database);
    db.exec(sql);
    return db.close();
  }
  const client = new pg.Client(database);
  await client.connect();
  await client.query(sql);
  await client.end();
}

for (const store of stores) {
  describe(`a filter added to a resource [${store}]`, () => {
    let database: string;
    let release: () => Promise<void>;
    before(async () => {
      ({ name: database, release } = await freshDatabase(store));
    });
    after(() => release());

    test("works for existing records, and nothing else that clients see changes", async () => {
      const old = await serve(plain, database);
      await old.has("stock-splits", records);
      const ignored = await old.fetch(`${path}&parameters[venue]=XNYS`);
      assert.equal(ignored.headers["x-ignored-parameters"], "parameters[venue]");
      const before = await seen(old);
      await old.close();
      const api = await serve(filtered, database);
      assert.deepEqual(await seen(api), before);
      for (const venue of ["XNAS", "XNYS"])
        assert.deepEqual((await api.ids(`${path}&parameters[venue]=${venue}`)).sort(), idsOf(venue));
      assert.deepEqual(
        (await api.ids(`${path}&parameters[venue]=XNAS,XNYS&parameters[tickers]=T3`)).sort(),
        records.filter(({ ticker, venue }) => ticker === "T3" && venue !== "").map(({ id }) => id),
      );
      await api.has("stock-splits", [{ id: "new", venue: "XLON" }]);
      assert.deepEqual(await api.ids(`${path}&parameters[venue]=XLON`), ["new"]);
      await api.close();
    });

    test("fails at startup until a migration is written", async () => {
      const fresh = await freshDatabase(store);
      await assert.rejects(
        workshop.open(unmigrated, fresh.name, () => 0),
        /The resource stock-splits can't serve its rule for parameters\[venue\]: its table "stock_splits" has no column "venue".*npm run migration/,
      );
      await fresh.release();
    });

    test("is backfilled after an interruption", async () => {
      await execute(database, "update stock_splits set venue = null where id >= 's0500'");
      const api = await serve(filtered, database);
      assert.deepEqual((await api.ids(`${path}&parameters[venue]=XNYS`)).sort(), idsOf("XNYS"));
      await api.close();
    });

    test("is backfilled for a record that a server of the previous version has written meanwhile", async () => {
      const { name, release } = await freshDatabase(store);
      const old = await serve(plain, name);
      const first = await serve(filtered, name);
      await old.has("stock-splits", [{ id: "late", venue: "XNYS" }]);
      assert.deepEqual(await old.ids(list), ["late"]);
      await old.close();
      const last = await serve(filtered, name);
      assert.deepEqual(await last.ids(`${list}?parameters[venue]=XNYS`), ["late"]);
      await first.close();
      await last.close();
      await release();
    });
  });
}

test("is documented without another line", () => {
  const document = JSON.stringify(openapi(catalogs.filtered, { version: "0.0.0" }, []));
  assert.match(document, /"parameters\[venue\]"/);
  const page = referencePages(catalogs.filtered, []).get("stock-splits.md") ?? assert.fail("there is no page");
  assert.match(page, /parameters\[venue\]/);
});

test("has generated files that are named after it and registered", async () => {
  const [first, second] = (await workshop.migrationsOf(filtered)).slice(-2);
  const text = readFileSync(workshop.target.list, "utf8");
  for (const made of [first, second]) assert.match(text, new RegExp(`from "./migrations/${made?.name}.ts"`));
  assert.match(text, /\n {2}stockSplits,\n {2}stockSplitsVenue,\n\];/);
  assert.deepEqual(second?.adds, { stock_splits: ["venue"] });
  assert.match(second?.sqlite ?? "", /alter table stock_splits add column venue text;/);
  assert.match(second?.postgres ?? "", /alter table stock_splits add column venue text collate "C";/);
  assert.match(second?.postgres ?? "", /create index stock_splits_by_venue on stock_splits \(venue, date, time, id\);/);
  assert.equal(workshop.generate(filtered), undefined, "nothing is left to migrate");
});
