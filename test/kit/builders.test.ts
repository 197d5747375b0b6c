// Record builders: every resource has one, and what it builds is valid, distinct, and complete.
import assert from "node:assert/strict";
import { test } from "node:test";
import { camel } from "../../src/docs/client-types.ts";
import { catalog } from "../../src/resources/catalog.ts";
import * as kit from "../../testing/index.ts";

type Build = (values?: object) => Readonly<Record<string, unknown>>;

const builders = kit as unknown as Readonly<Record<string, Build>>;

test("every resource has a builder whose records a server returns with every field", async () => {
  const records = Object.fromEntries(
    catalog.map(({ name, recordName }) => {
      const build = builders[camel(recordName.replaceAll(" ", "-"))];
      assert.ok(build, `no builder of ${name}`);
      return [camel(name), [build(), build(), build()]];
    }),
  );
  await using server = await kit.startBellwire({ records });
  for (const { name, fields } of catalog) {
    const list = server.client[camel(name) as "ratings"];
    const full = name === "news" ? { displayOutput: "full" } : {};
    const { records } = await list.page(full as object);
    assert.equal(records.length, 3, name);
    const shown = Object.keys(fields).filter((field) => fields[field]?.shown === "always");
    for (const record of records) assert.deepEqual(Object.keys(record).sort(), shown, name);
  }
});

test("a builder takes any field, and every filter finds what it sets", async () => {
  const item = kit.newsItem({ importance: "high", regions: ["CAN"], content_type: "brief", created: new Date(0) });
  await using server = await kit.startBellwire({ records: { news: [item, kit.newsItem()] } });
  const found = await server.client.news.page({ importance: "high", region: "Canada", contentTypes: "brief" });
  assert.deepEqual(
    found.records.map(({ id, created }) => [id, created]),
    [[item.id, "Wed, 31 Dec 1969 19:00:00 -0500"]],
  );
});

test("lists of a built record are its own", () => {
  const [one, other] = [kit.newsItem(), kit.newsItem()];
  assert.notEqual(one.stocks, other.stocks);
  assert.notEqual(one.id, other.id);
});
