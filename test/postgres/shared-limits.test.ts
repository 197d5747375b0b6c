// Limits shared through one database: two servers under load stay within the documented tolerance, a single one is exact,
// and usage survives the end of a process.
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import type { Terms } from "../../src/core/access/terms.ts";
import { generateKey, hashKey } from "../../src/keys/key.ts";
import type { Store, UsageRow } from "../../src/store/store.ts";
import { freshDatabase, type Serving, serving } from "../commands/support/bellwire.ts";
import { runs } from "../support/budget.ts";
import { type OwnPostgres, openTestStore, ownPostgres, stores } from "../support/stores/stores.ts";
import { waitUntil } from "../support/wait-until.ts";
import { fetchReply, hangs } from "./pool/waiting.ts";

/** Sends concurrent requests to servers in turn; returns how many were admitted and rejected, and the seconds taken. */
async function flood(urls: readonly string[], count: number, atOnce = 16) {
  const began = performance.now();
  const statuses = new Map<number, number>();
  let sent = 0;
  const send = async () => {
    while (sent < count) {
      const url = urls[sent++ % urls.length] as string;
      const { status } = await fetchReply(url);
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, send));
  const [through = 0, rejected = 0] = [statuses.get(200), statuses.get(429)];
  assert.equal(through + rejected, count, JSON.stringify([...statuses]));
  return { through, rejected, seconds: (performance.now() - began) / 1000 };
}

function sharing(title: string, skip: boolean, database: () => Promise<OwnPostgres>): void {
  describe(title, { ...hangs, skip }, () => {
    let made: OwnPostgres;
    let store: Store;
    let servers: Serving[] = [];
    const flags = () => ["--database", made.url, "--no-demo", "--log-level", "warn"];
    /**
     * Whether a process has said that it counts alone: on SQLite at moments at which another one writes, on PostgreSQL
     * when the machine is so busy that no word comes for seconds. Each then lets through as much as it may alone.
     */
    const isApart = (...servers: Serving[]) =>
      servers.some(({ output }) => /rate limits apply per process/.test(output.stdout + output.stderr));
    const listOn = ({ url }: Serving, key: string) => `${url}/api/v2/news?token=${key}`;

    before(async () => {
      made = await database();
      store = await openTestStore(made.url, () => 0);
      servers = await Promise.all([1, 2].map(() => serving(flags())));
    });

    after(async () => {
      await Promise.all(servers.map((each) => each.stop()));
      await store?.close();
      await made?.drop();
    });

    let keys = 0;
    const keyWith = async (terms: Partial<Terms>): Promise<{ key: string; name: string }> => {
      const key = generateKey();
      const name = `limited-${++keys}`;
      await store.addKey({ ...terms, name, hash: hashKey(key), created: 1 });
      // Every process must know the key first; an unknown key counts as an invalid token.
      for (const { url } of servers)
        await waitUntil(
          async () => (await fetchReply(`${url}/api/v2/news?page=x&token=${key}`)).status === 400,
          "the key is known",
        );
      return { key, name };
    };
    /** Requests used by the two checks above. */
    const looked = 2;

    test("a quota is exceeded by at most 1/64 per process", async () => {
      const quota = runs(192, 640);
      const attempts = quota + runs(96, 160);
      const { key, name } = await keyWith({ quota, quotaPer: "month" });
      const { through } = await flood(
        servers.map((each) => listOn(each, key)),
        attempts,
      );
      const used = through + looked;
      const most = isApart(...servers) ? 2 * quota : quota + 2 * (quota / 64) - 1;
      assert.ok(used >= quota && used <= most, `${used} of ${quota}, at most ${most}`);
      const again = await flood(
        servers.map((each) => listOn(each, key)),
        20,
      );
      if (!isApart(...servers)) assert.equal(again.through, 0);
      await waitUntil(async () => {
        const rows = await store.usage({ from: "2000-01-01", to: "2999-12-31", key: name });
        const sum = (of: keyof UsageRow) => rows.reduce((total, row) => total + Number(row[of]), 0);
        const limited = attempts + 20 - through - again.through;
        return sum("requests") === attempts + 20 + looked && sum("limited") === limited && sum("errors") === looked;
      }, "what was used is counted");
    });

    test("a rate is exceeded by at most a fifth of a second's worth per process", async () => {
      const { key } = await keyWith({ rate: 20, burst: 40 });
      const { through, seconds } = await flood(
        servers.map((each) => listOn(each, key)),
        runs(240, 400),
      );
      const alone = 40 + seconds * 20;
      const most = isApart(...servers) ? 2 * alone : alone + 2 * 4 - 1;
      assert.ok(through <= most, `${through} in ${seconds} seconds, at most ${most}`);
      assert.ok(through >= 40 - looked, `${through}`);
    });

    test("a single process is exact, and one that starts later continues from there", async () => {
      const { key, name } = await keyWith({ quota: 300, rate: 0.001, burst: 300, quotaPer: "month" });
      const [first] = servers as [Serving, Serving];
      assert.equal((await flood([listOn(first, key)], 200)).through, 200);
      const bucket = { key: name, period: "", requests: 0, seconds: 0, age: 0, maxSeconds: 1_000_000 };
      await waitUntil(
        async () => ((await store.syncLimits([bucket]))[0]?.requests ?? 0) >= 200,
        "the others learn what was used",
      );
      const third = await serving(flags());
      const { through } = await flood([listOn(third, key)], 200);
      await third.stop();
      const most = isApart(...servers, third) ? 200 : 100 - looked + 2 * 4 - 1;
      assert.ok(through >= 100 - looked && through <= most, `${through} of the last 100, at most ${most}`);
    });
  });
}

sharing("limits of two processes [postgres]", !stores.includes("postgres"), () => ownPostgres("limits"));
sharing("limits of two processes [sqlite]", false, async () => ({ url: freshDatabase(), drop: async () => {} }));
