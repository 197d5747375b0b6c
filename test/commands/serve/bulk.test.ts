// Bulk files of a server with several processes: written by a process that ends, one for a snapshot, on both databases.
import assert from "node:assert/strict";
import { existsSync, mkdtempSync, readdirSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, test } from "node:test";
import { gunzipSync } from "node:zlib";
import { postgresDatabase, sqliteDatabase, stores } from "../../support/stores/stores.ts";
import { bellwireWrites, keyOn, serving } from "../support/bellwire.ts";

const databases = { sqlite: sqliteDatabase, postgres: postgresDatabase } as const;
const lines = (...ids: string[]) => ids.map((id) => `{"id":"${id}","date":"2026-01-15"}\n`).join("");

for (const store of stores) {
  describe(`bulk files of a server [${store}]`, () => {
    test("are written once for all workers, replaced when records change, and leave nothing else behind", async () => {
      const { name: database, release } = await databases[store]();
      const directory = mkdtempSync(join(tmpdir(), "bellwire-bulk-"));
      const imports = (input: string) => bellwireWrites(["import", "ratings", "-", "--database", database], { input });
      try {
        await imports(lines("a", "b"));
        const headers = { authorization: `Bearer ${await keyOn(database, "analyst", ["bulk"])}` };
        const options = ["--workers", "2", "--no-demo", "--bulk-minutes", "0", "--bulk-directory", directory];
        const server = await serving(["--database", database, ...options]);
        const get = async () => {
          // A connection each, so that both workers respond.
          const response = await fetch(`${server.url}/api/v2.1/bulk/ratings.ndjson.gz`, {
            headers: { ...headers, connection: "close" },
          });
          const bytes = Buffer.from(await response.arrayBuffer());
          assert.equal(response.status, 200, bytes.toString());
          return { tag: response.headers.get("etag"), lines: gunzipSync(bytes).toString().split("\n").length - 1 };
        };
        const first = await Promise.all(Array.from({ length: 6 }, get));
        assert.equal(new Set(first.map(({ tag }) => tag)).size, 1);
        assert.deepEqual(new Set(first.map((each) => each.lines)), new Set([2]));
        const [file = "", ...more] = readdirSync(directory);
        assert.deepEqual(more, []);
        assert.match(file, /^[0-9a-f]{12}-ratings\.ndjson\.gz~[0-9a-z.]+~[0-9a-f]{32}$/);
        assert.equal(statSync(join(directory, file)).mode & 0o077, 0, "others may read it");
        await imports(lines("c"));
        // PostgreSQL notifies the workers.
        let second = await get();
        while (second.lines === 2) second = await get();
        assert.equal(second.lines, 3);
        assert.equal(readdirSync(directory).length, 1);
        assert.ok(!existsSync(join(directory, file)));
        await server.stop();
      } finally {
        await release();
        rmSync(directory, { recursive: true });
      }
    });
  });
}
