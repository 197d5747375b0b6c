// Scopes: what a key may do, the error if it may not, and that existing keys can still read.
import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { describe, test as nodeTest } from "node:test";
import { generateKey, hashKey } from "../../../src/keys/key.ts";
import { catalog } from "../../../src/resources/catalog.ts";
import { migrations } from "../../../src/store/migrate.ts";
import { withClient } from "../../postgres/pool/waiting.ts";
import { startApi } from "../../support/clients/api.ts";
import { onEveryStore } from "../../support/stores/every-store.ts";
import { makeSchema } from "../../support/stores/postgres.ts";
import { stores } from "../../support/stores/stores.ts";

onEveryStore("scopes", (test) => {
  test("a key with the scope read may read the lists, whatever other scopes it has", async (api) => {
    for (const scopes of [["read"], ["read", "write"], ["admin", "replicate", "read"]]) {
      const key = await api.key({ scopes });
      for (const { path } of catalog) assert.equal((await api.request(`${path}?token=${key}`)).status, 200, path);
    }
  });

  test("a key without it gets an error with the required scope and its own scopes", async (api) => {
    for (const scopes of [["write"], ["replicate"], ["admin"], ["write", "replicate", "admin"]]) {
      const key = await api.key({ scopes });
      for (const { path } of catalog) {
        const { status, json } = await api.request(`${path}?token=${key}`);
        assert.deepEqual([status, json.code], [403, "key.scope"]);
        const held = scopes.map((scope) => `"${scope}"`).join(", ");
        assert.equal(json.detail, `This requires the scope "read"; this key has ${held}.`);
      }
    }
  });

  test("the scope is checked after the format and before license and parameters", async (api) => {
    const key = await api.key({ scopes: ["write"] });
    const code = async (accept: string) =>
      (await api.request(`/api/v2/news?cusips=1&page=x&token=${key}`, { headers: { accept } })).json.code;
    assert.deepEqual([await code("image/png"), await code("*/*")], ["format.unacceptable", "key.scope"]);
  });
});

describe("keys created before scopes existed", () => {
  const secret = generateKey();
  const before = migrations.slice(
    0,
    migrations.findIndex(({ name }) => name === "005-scopes"),
  );
  const insert = `insert into api_key (name, hash, licenses, created, expires) values ('old', '${hashKey(secret)}', '["cusip"]', 1, '')`;

  /** Can still read, and do nothing else. */
  async function mayRead(database: string): Promise<void> {
    const api = await startApi({ database });
    try {
      assert.equal((await api.request(`/api/v2/news?cusips=1&token=${secret}`)).status, 200);
      const [{ scopes } = {}] = await api.store.listKeys();
      assert.deepEqual(scopes, ["read"]);
    } finally {
      await api.close();
    }
  }

  nodeTest("may read after the migration [sqlite]", async () => {
    const folder = mkdtempSync(join(tmpdir(), "bellwire-scopes-"));
    const file = join(folder, "old.db");
    const db = new DatabaseSync(file);
    for (const { sqlite } of before) db.exec(sqlite);
    db.exec(`pragma user_version = ${before.length}; ${insert}`);
    db.close();
    await mayRead(file);
    rmSync(folder, { recursive: true });
  });

  nodeTest("may read after the migration [postgres]", { skip: !stores.includes("postgres") }, async () => {
    const name = `scopes_${process.pid}_${Date.now().toString(36)}`;
    const schema = await makeSchema(process.env.BELLWIRE_TEST_DATABASE ?? "", name);
    await withClient(schema.url, async (client) => {
      await client.query("create table migration (number bigint primary key, name text not null)");
      for (const [index, { name, postgres }] of before.entries()) {
        await client.query(postgres);
        await client.query("insert into migration (number, name) values ($1, $2)", [index + 1, name]);
      }
      await client.query(insert);
    });
    await mayRead(schema.url);
    await schema.drop();
  });
});
