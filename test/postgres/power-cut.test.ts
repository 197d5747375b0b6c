// Crashes of the server or of PostgreSQL during writes lose no acknowledged record and leave no partial one.
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { generateKey, hashKey } from "../../src/keys/key.ts";
import type { Store } from "../../src/store/store.ts";
import { serving } from "../commands/support/bellwire.ts";
import { runs } from "../support/budget.ts";
import { startApi, testNow } from "../support/clients/api.ts";
import { Traffic } from "../support/clients/traffic.ts";
import { makePostgres, type PostgresServer } from "../support/stores/postgres.ts";
import { openTestStore, stores } from "../support/stores/stores.ts";
import { waitUntil } from "../support/wait-until.ts";
import { withClient } from "./pool/waiting.ts";

const kills = runs(3, 10);

describe("a server killed during writes [postgres]", { skip: !stores.includes("postgres") }, () => {
  let postgres: PostgresServer;
  before(async () => {
    postgres = await makePostgres();
    await postgres.start();
  });
  after(() => postgres?.remove());

  async function using<T>(run: (store: Store) => Promise<T>): Promise<T> {
    const store = await openTestStore(postgres.url, () => testNow);
    try {
      return await run(store);
    } finally {
      await store.close();
    }
  }

  const isQuiet = () =>
    withClient(postgres.url, async (client) => {
      const others = "backend_type = 'client backend' and pid <> pg_backend_pid()";
      const { rows } = await client.query(`select count(*)::int as n from pg_stat_activity where ${others}`);
      return rows[0].n === 0;
    });

  test(`keeps every acknowledged record after each of ${kills} kills, with or without its database`, async (t) => {
    const key = generateKey();
    const grants = { licenses: [], scopes: ["write"], created: 1, expires: "" };
    await using((store) => store.addKey({ name: "writer", hash: hashKey(key), ...grants }));
    const traffic = new Traffic();
    for (let kill = 0; kill < kills; kill++) {
      const server = await serving(["--database", postgres.url, "--no-demo", "--log-level", "fatal"]);
      const crash = kill % 3 === 2;
      await traffic.interrupted(server.url, key, async () => {
        if (crash) await postgres.stop("immediate");
        assert.equal((await server.stop("SIGKILL")).signal, "SIGKILL");
      });
      if (crash) await postgres.start();
      await waitUntil(isQuiet, "the killed server's connections are closed");
      await using((store) => traffic.check(store));
    }
    const api = await startApi({ database: postgres.url });
    try {
      await withClient(postgres.url, (client) =>
        traffic.checkTables(async (sql) => (await client.query(sql)).rows, "key"),
      );
      await traffic.checkSearch(api);
    } finally {
      await api.close();
    }
    t.diagnostic(`${traffic.acknowledged} writes acknowledged`);
  });
});
