// A mirror of an upstream with the habits of public services, which is written to all the time and fails now and then,
// killed repeatedly, ends up identical to it, on both databases. The long run has more records and ten kills.
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { openSqlite } from "../../src/open-sqlite.ts";
import type { Store } from "../../src/store/store.ts";
import { bellwire, bellwireWrites, freshDatabase, keyOn, type Serving, serving } from "../commands/support/bellwire.ts";
import { runs, seed } from "../support/budget.ts";
import { type Api, startApi } from "../support/clients/api.ts";
import { dropSchema, postgresDatabase, stores } from "../support/stores/stores.ts";
import { type Crowd, crowdOf, disturb, load } from "./support/crowd.ts";
import { assertSameLists } from "./support/identical.ts";
import { killRepeatedly } from "./support/killing.ts";
import type { Between } from "./support/proxy.ts";
import { realWorld } from "./support/real-world.ts";

const upstreamFile = freshDatabase();
let crowd: Crowd;
let store: Store;
let server: Serving;
let key: string;
let upstreamApi: Api;

before(async () => {
  store = openSqlite({ file: upstreamFile });
  crowd = crowdOf(runs(20, 2000), runs(30, 5000));
  await load(store, crowd);
  key = await keyOn(upstreamFile, "mirror");
  server = await serving(["--database", upstreamFile, "--no-demo", "--log-level", "silent"]);
  upstreamApi = await startApi({ database: upstreamFile });
});

after(async () => {
  await server?.stop("SIGKILL");
  await upstreamApi?.close();
  await store?.close();
  await dropSchema();
});

type Mirrored = { readonly database: string; readonly upstream: Between };

const flags = ({ database, upstream }: Mirrored): string[] => [
  ...["mirror", upstream.url.href, "--database", database, "--budget", "1000/s", "--every", "2s"],
];
const env = () => ({ BELLWIRE_MIRROR_TOKEN: key });

async function toTheEnd(mirrored: Mirrored): Promise<void> {
  const { status, stderr } = await bellwire([...flags(mirrored), "--once"], { env: env() });
  assert.equal(status, 0, stderr);
}

describe("a mirror of an upstream with the habits of public services", () => {
  let mirrors: Mirrored[] = [];
  after(async () => {
    for (const { upstream } of mirrors) await upstream.close();
  });

  test("completes while the upstream changes and fails and the mirror is killed", async (t) => {
    mirrors = await Promise.all(
      stores.map(async (kind, index) => {
        const upstream = await realWorld({ target: server.url, key, most: runs(15, 90), seed: seed + index });
        upstream.faultRate = 0.06;
        return { database: kind === "postgres" ? (await postgresDatabase()).name : freshDatabase(), upstream };
      }),
    );
    const stop = new AbortController();
    // On a slow machine, more changes would take longer to read, during which more of them would be made.
    const disturbing = disturb(store, crowd, stop.signal, runs(40, 5000));
    await Promise.all(
      mirrors.map((mirrored) => killRepeatedly(flags(mirrored), env(), mirrored.upstream.requests, runs(2, 10))),
    );
    await Promise.all(mirrors.map(toTheEnd));
    stop.abort();
    t.diagnostic(`${await disturbing} concurrent writes and removals`);
    await Promise.all(mirrors.map(toTheEnd));
    for (const { upstream } of mirrors) {
      const failed = [...upstream.faults.values()].reduce((a, b) => a + b, 0);
      t.diagnostic(`${upstream.requests.length} requests, of which ${failed} failed`);
    }
  });

  for (const [index, kind] of stores.entries()) {
    test(`has the same lists of all seven resources [${kind}]`, async () => {
      const { database } = mirrors[index] as Mirrored;
      const ours = await startApi({ database });
      try {
        await assertSameLists(upstreamApi, ours);
      } finally {
        await ours.close();
      }
    });

    test(`rejects no record, and counts the attributes that it drops [${kind}]`, async () => {
      const { database } = mirrors[index] as Mirrored;
      const status = JSON.parse(await bellwireWrites(["mirror", "status", "--json", "--database", database]));
      assert.deepEqual(status.errors, {});
      assert.deepEqual(
        status.removals.map(({ path, offered }: { path: string; offered: boolean }) => [path, offered]),
        [
          ["/api/v2/news-removed", true],
          ["/api/v2.1/calendar-removed", true],
        ],
      );
      assert.equal(status.resources.length, 7);
      for (const { resource, counts, unknown_attributes, failing } of status.resources) {
        assert.deepEqual([counts.refused, failing], [0, false], resource);
        const names = resource === "news" ? ["stocks.rank", "vendor_score"] : ["vendor_score"];
        assert.deepEqual(Object.keys(unknown_attributes).sort(), names);
      }
    });
  }
});
