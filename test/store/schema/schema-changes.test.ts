// What `npm run migration` writes for a catalog change, and what it rejects.
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { choice } from "../../../src/core/catalog/common-rules.ts";
import { p } from "../../../src/core/catalog/parameter.ts";
import { type Resource, resource } from "../../../src/core/catalog/resource.ts";
import { decimal, flag, text } from "../../../src/core/catalog/scalar-fields.ts";
import { oldestFirst } from "../../../src/core/query/plan.ts";
import { catalog } from "../../../src/resources/catalog.ts";
import { dividends } from "../../../src/resources/dividends.ts";
import { news } from "../../../src/resources/news.ts";
import { ratings } from "../../../src/resources/ratings.ts";
import { expectedTables } from "../../../src/store/expected-schema.ts";
import { migrations } from "../../../src/store/migrate.ts";
import { compareSchema, isEmpty } from "../../../src/store/schema/compare.ts";
import { postgresLanguage, sqliteLanguage, statementsFor } from "../../../src/store/schema/statements.ts";
import { verifySchema } from "../../../src/store/schema/verify.ts";
import { writeMigration } from "../../../src/store/schema/write-migration.ts";
import { execute } from "../../support/stores/postgres.ts";
import { ownPostgres, stores } from "../../support/stores/stores.ts";
import { makeWorkshop, type Workshop } from "./generated-migrations.ts";
import { catalogs } from "./splits.ts";

const instead = (of: Resource, ...changed: Resource[]): Resource[] => [
  ...catalog.filter((each) => each !== of),
  ...changed,
];

const compared = (of: Resource, ...changed: Resource[]) => compareSchema(instead(of, ...changed), migrations);

const statements = (of: Resource, changed: Resource, language = sqliteLanguage) =>
  statementsFor(compared(of, changed), language);

describe("a migration", () => {
  let workshop: Workshop;
  before(async () => {
    workshop = await makeWorkshop();
  });
  after(() => workshop.remove());

  test("is not needed for the current catalog", () => {
    assert.ok(isEmpty(compareSchema(catalog, migrations)));
    assert.equal(writeMigration(catalog, migrations, workshop.target), undefined);
  });

  test("adds a column and an index for an order, and marks records without a value if null is one", () => {
    const sorted = resource({
      ...dividends,
      rules: [
        ...dividends.rules,
        choice(p("by"), "Order", { dividend: { order: oldestFirst("dividend", "confirmed", "id") } }),
      ],
    });
    assert.deepEqual(statements(dividends, sorted), [
      "alter table dividends add column dividend text default ''",
      "alter table dividends add column confirmed integer",
      "create index dividends_by_dividend on dividends (dividend, confirmed, id)",
    ]);
    assert.deepEqual(statements(dividends, sorted, postgresLanguage), [
      "alter table dividends add column dividend text collate \"C\" default ''",
      "alter table dividends add column confirmed bigint",
      "create index dividends_by_dividend on dividends (dividend, confirmed, id)",
    ]);
  });

  test("replaces an index whose columns change, including SQLite's covering one", () => {
    const indexes = dividends.indexes.map((columns) => (columns[0] === "ticker" ? [...columns, "confirmed"] : columns));
    const changed = { ...dividends, indexes };
    assert.deepEqual(statements(dividends, changed, postgresLanguage), [
      "alter table dividends add column confirmed bigint",
      "drop index dividends_by_ticker",
      "create index dividends_by_ticker on dividends (ticker, date, id, importance, dividend_yield, confirmed)",
    ]);
    assert.deepEqual(statements(dividends, changed).slice(-1), [
      "create index dividends_of_ticker on dividends (ticker, date, id, importance, dividend_yield, confirmed, json0)",
    ]);
  });

  test("creates every table of a new resource, with links and search text", async () => {
    const larger = [...catalog, { ...news, name: "bulletins", path: "/api/v2/bulletins" }];
    const difference = compareSchema(larger, migrations);
    const [sqlite = [], postgres = []] = [sqliteLanguage, postgresLanguage].map((each) =>
      statementsFor(difference, each),
    );
    for (const made of [sqlite, postgres])
      for (const part of ["", "_text", "_link", "_count", "_search"])
        assert.match(made.join(";"), new RegExp(`create (virtual )?table bulletins${part} `));
    const links = { bulletins: Object.keys(news.links) };
    const made = { name: "bulletins", sqlite: sqlite.join(";\n"), postgres: "", links };
    assert.ok(isEmpty(compareSchema(larger, [...migrations, made])), "the same tables as the catalog calls for");
    if (!stores.includes("postgres")) return;
    const { url, drop } = await ownPostgres("bulletins");
    for (const statement of postgres) await execute(url, statement);
    await drop();
  });
});

describe("a migration is rejected", () => {
  const rejected = (reason: RegExp, of: Resource, ...changed: Resource[]) =>
    assert.throws(() => compared(of, ...changed), reason);

  test("if a column would be dropped", () =>
    rejected(/dividends\.payable_date would be dropped/, dividends, {
      ...dividends,
      indexes: dividends.indexes.filter(([first]) => first !== "payable_date"),
    }));

  test("if a column would change its type", () =>
    rejected(/dividends\.ex_dividend_date would change from text to integer/, dividends, {
      ...dividends,
      fields: { ...dividends.fields, ex_dividend_date: flag("Another type") },
    }));

  test("if a column would become nullable, or no longer be", () =>
    rejected(/dividends\.ex_dividend_date would change whether it may be null/, dividends, {
      ...dividends,
      fields: { ...dividends.fields, ex_dividend_date: decimal("Another kind") },
    }));

  test("if a resource is removed", () => rejected(/the table ratings no longer belongs to any resource/, ratings));

  test("if records would be split differently for a heavy field", () =>
    rejected(/dividends\.json1 would be added/, dividends, {
      ...dividends,
      fields: { ...dividends.fields, notes: text("Large", { heavy: true }) },
    }));

  test("if existing records would lack a kind of link, which fails at startup too", () => {
    const linked = { ...news, links: { ...news.links, tag: () => [] } };
    rejected(/existing records of news would have no links of kind "tag"/, news, linked);
    assert.throws(() => verifySchema([linked], migrations, columnsOfAll()), /no links of kind "tag"/);
  });

  test("if a resource gets its first search text", () =>
    rejected(/the search text ratings_search would change/, ratings, { ...ratings, searchFields: { name: () => [] } }));
});

test("a table that no migration creates is reported at startup", () => {
  assert.throws(
    () => verifySchema(catalogs.plain, migrations, columnsOfAll()),
    /The resource stock-splits needs the table "stock_splits", which no migration creates.*npm run migration/,
  );
});

/** For every resource of the catalog. */
function columnsOfAll(): { table: string; column: string }[] {
  return catalog
    .flatMap(expectedTables)
    .flatMap(({ name, columns }) => columns.map((column) => ({ table: name, column: column.name })));
}
