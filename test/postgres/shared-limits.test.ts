// Limits that processes share through one database: two real servers under a flood stay within the stated tolerance, one
// alone is exact, and what was used is remembered when a process ends.
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import type { Terms } from "../../src/core/terms.ts";
import { hashKey, makeKey } from "../../src/keys/key.ts";
import type { Store, UsageRow } from "../../src/store/store.ts";
import { freshDatabase, type Serving, serving } from "../commands/bellwire.ts";
import { makeSchema } from "../support/postgres.ts";
import { openTestStore, stores } from "../support/stores.ts";
import { ask, eventually } from "./waiting.ts";

const server = process.env.BELLWIRE_TEST_DATABASE ?? "";
const skip = !stores.includes("postgres");

/** Sends requests to servers in turn, so many at once; gives how many were let through, refused, and the seconds it took. */
async function flood(urls: readonly string[], count: number, atOnce = 16) {
  const began = performance.now();
  const statuses = new Map<number, number>();
  let sent = 0;
  const send = async () => {
    while (sent < count) {
      const url = urls[sent++ % urls.length] as string;
      const { status } = await ask(url);
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, send));
  const [through = 0, refused = 0] = [statuses.get(200), statuses.get(429)];
  assert.equal(through + refused, count, JSON.stringify([...statuses]));
  return { through, refused, seconds: (performance.now() - began) / 1000 };
}

/** On SQLite processes count alone for moments at which another one writes; `slack` is what that may add. */
function sharing(
  title: string,
  database: () => Promise<{ url: string; drop(): Promise<void> }>,
  { skip, slack }: { readonly skip: boolean; readonly slack: number },
): void {
  describe(title, { skip }, () => {
    let made: Awaited<ReturnType<typeof database>>;
    let store: Store;
    let servers: Serving[] = [];
    const flags = () => ["--database", made.url, "--no-demo", "--log-level", "fatal"];
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
      const key = makeKey();
      const name = `limited-${++keys}`;
      await store.addKey({ ...terms, name, hash: hashKey(key), created: 1 });
      // Every process knows it before the flood begins; a key that it knows not is a wrong token.
      for (const { url } of servers)
        await eventually(
          "the key is known",
          async () => (await ask(`${url}/api/v2/news?page=x&token=${key}`)).status === 400,
        );
      return { key, name };
    };
    /** What the two looks above have used up. */
    const looked = 2;

    test("a quota is exceeded by a 64th of it for each process at most", async () => {
      const { key, name } = await keyWith({ quota: 640, quotaPer: "month" });
      const { through } = await flood(
        servers.map((each) => listOn(each, key)),
        1000,
      );
      const used = through + looked;
      assert.ok(used >= 640 && used <= 640 + 2 * 10 - 1 + slack, `${used} of 640`);
      const again = await flood(
        servers.map((each) => listOn(each, key)),
        20,
      );
      assert.equal(again.through, 0);
      await eventually("what was used is counted", async () => {
        const rows = await store.usage({ from: "2000-01-01", to: "2999-12-31", key: name });
        const sum = (of: keyof UsageRow) => rows.reduce((total, row) => total + Number(row[of]), 0);
        return sum("requests") === 1000 + 20 + looked && sum("limited") === 1020 - through && sum("errors") === looked;
      });
    });

    test("a rate is exceeded by a fifth of a second of it for each process at most", async () => {
      const { key } = await keyWith({ rate: 20, burst: 40 });
      const { through, seconds } = await flood(
        servers.map((each) => listOn(each, key)),
        1500,
      );
      const most = 40 + seconds * 20 + 2 * 4 - 1 + slack;
      assert.ok(through <= most, `${through} in ${seconds} seconds, at most ${most}`);
      assert.ok(through >= 40 - looked, `${through}`);
    });

    test("a process alone is exact, and another that starts later goes on from there", async () => {
      const { key } = await keyWith({ quota: 300, rate: 0.001, burst: 300, quotaPer: "month" });
      const [first] = servers as [Serving, Serving];
      assert.equal((await flood([listOn(first, key)], 200)).through, 200);
      const third = await serving(flags());
      const { through } = await flood([listOn(third, key)], 200);
      await third.stop();
      assert.ok(through >= 100 - looked && through <= 100 - looked + 2 * 4 - 1 + slack, `${through} of the last 100`);
    });
  });
}

sharing(
  "limits of two processes [postgres]",
  () => makeSchema(server, `limits_${process.pid}_${Date.now().toString(36)}`),
  { skip, slack: 0 },
);
sharing("limits of two processes [sqlite]", async () => ({ url: freshDatabase(), drop: async () => {} }), {
  ...{ skip: false, slack: 50 },
});
