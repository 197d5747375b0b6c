// Keys in databases created by an older version.
import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { test } from "node:test";
import { defaultTerms } from "../../src/core/access/terms.ts";
import { generateKey, hashKey } from "../../src/keys/key.ts";
import { migrations } from "../../src/store/migrate.ts";
import { startApi } from "../support/clients/api.ts";

test("a key created before terms existed has the same access as before", async () => {
  const folder = mkdtempSync(join(tmpdir(), "bellwire-terms-"));
  const file = join(folder, "old.db");
  const secret = generateKey();
  const db = new DatabaseSync(file);
  const before = migrations.slice(
    0,
    migrations.findIndex(({ name }) => name === "007-grants"),
  );
  for (const { sqlite } of before) db.exec(sqlite);
  db.exec(`pragma user_version = ${before.length};
    insert into api_key (name, hash, licenses, scopes, created, expires) values ('old', '${hashKey(secret)}', '["cusip"]', '["read"]', 1, '')`);
  db.close();
  const api = await startApi({ database: file });
  try {
    assert.equal((await api.request(`/api/v2/news?cusips=1&token=${secret}`)).status, 200);
    const [old] = await api.store.listKeys();
    assert.deepEqual(old, {
      ...{ ...defaultTerms, licenses: ["cusip"] },
      ...{ name: "old", hash: hashKey(secret), created: 1, revoked: undefined, retires: undefined },
    });
  } finally {
    await api.close();
    rmSync(folder, { recursive: true });
  }
});
