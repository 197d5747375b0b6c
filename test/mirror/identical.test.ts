// A mirror of an upstream that is written to all the time, through a proxy that breaks a third of the responses, killed
// repeatedly, ends up identical to its upstream. The long run uses fifty thousand records and ten kills.
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { openSqlite } from "../../src/open-sqlite.ts";
import { catalog } from "../../src/resources/catalog.ts";
import type { Store } from "../../src/store/store.ts";
import { bellwire, freshDatabase, keyOn, type Serving, serving } from "../commands/support/bellwire.ts";
import { runs } from "../support/budget.ts";
import { type Api, startApi } from "../support/clients/api.ts";
import { type Crowd, crowdOf, disturb, load } from "./support/crowd.ts";
import {
  assertSameLists,
  assertSameResponses,
  exports,
  randomRequests,
  usesVisibleAttributes,
} from "./support/identical.ts";
import { killRepeatedly } from "./support/killing.ts";
import { type Between, proxy } from "./support/proxy.ts";

const upstreamFile = freshDatabase();
const kills = runs(2, 10);
const requests = runs(80, 1300);
let crowd: Crowd;
let store: Store;
let server: Serving;
let key: string;
let upstreamApi: Api | undefined;

before(async () => {
  store = openSqlite({ file: upstreamFile });
  crowd = crowdOf(runs(80, 3000), runs(150, 100_000));
  assert.ok((await load(store, crowd)) >= runs(1000, 50_000));
  key = await keyOn(upstreamFile, "mirror", ["read", "replicate"]);
  server = await serving(["--database", upstreamFile, "--no-demo", "--log-level", "silent"]);
});

after(async () => {
  await server?.stop("SIGKILL");
  await upstreamApi?.close();
  await store?.close();
});

type Mirrored = { readonly via: "lists" | "changes"; readonly file: string; readonly between: Between };

const flags = ({ via, file, between }: Mirrored): string[] => [
  ...["mirror", between.url.href, "--database", file, "--via", via],
  ...["--budget", "1000/s", "--every", "5s"],
];
const env = () => ({ BELLWIRE_MIRROR_TOKEN: key });

async function toTheEnd(mirrored: Mirrored): Promise<void> {
  const { status, stderr } = await bellwire([...flags(mirrored), "--once"], { env: env() });
  assert.equal(status, 0, stderr);
}

async function begin(via: Mirrored["via"]): Promise<Mirrored> {
  const between = await proxy(server.url);
  between.faultRate = 1 / 3;
  return { via, file: freshDatabase(), between };
}

/** A service on the upstream's database, and one on the mirror's. */
async function besideUpstream(mirrored: Mirrored | undefined, run: (theirs: Api, ours: Api) => Promise<void>) {
  upstreamApi ??= await startApi({ database: upstreamFile });
  const ours = await startApi({ database: mirrored?.file ?? "" });
  try {
    await run(upstreamApi, ours);
  } finally {
    await ours.close();
  }
}

describe("a mirror that is killed repeatedly while its upstream changes and fails", () => {
  let mirrors: Mirrored[] = [];
  let urls: string[] = [];
  after(async () => {
    for (const { between } of mirrors) await between.close();
  });

  test("completes", async (t) => {
    mirrors = [await begin("lists"), await begin("changes")];
    const stop = new AbortController();
    // On a slow machine, more changes would take longer to read, during which more of them would be made.
    const disturbing = disturb(store, crowd, stop.signal, runs(150, Number.POSITIVE_INFINITY));
    await Promise.all(
      mirrors.map((mirrored) => killRepeatedly(flags(mirrored), env(), mirrored.between.requests, kills)),
    );
    await Promise.all(mirrors.map(toTheEnd));
    stop.abort();
    t.diagnostic(`${await disturbing} concurrent writes and removals`);
    await Promise.all(mirrors.map(toTheEnd));
    for (const { via, between } of mirrors) {
      const wrong = [...between.faults.values()].reduce((a, b) => a + b, 0);
      t.diagnostic(`${via}: ${between.requests.length} requests, of which ${wrong} failed`);
    }
  });

  test("is identical through the change feed: same export, same responses to random requests", async () => {
    await besideUpstream(mirrors[1], async (theirs, ours) => {
      const [there, here] = [await exports(theirs.store), await exports(ours.store)];
      for (const { name } of catalog) assert.ok(there[name]?.join("\n") === here[name]?.join("\n"), `${name} differ`);
      urls = await randomRequests(theirs.store, requests);
      await assertSameResponses(theirs, ours, urls);
    });
  });

  test("is identical through the lists: same lists, same responses to requests by visible attributes", async () => {
    await besideUpstream(mirrors[0], async (theirs, ours) => {
      await assertSameLists(theirs, ours);
      const shown = urls.filter(usesVisibleAttributes);
      assert.ok(shown.length >= requests * 0.75);
      await assertSameResponses(theirs, ours, shown);
    });
  });

  test("sends no request that its checkpoints make unnecessary", async () => {
    for (const mirrored of mirrors) {
      const { between, via } = mirrored;
      between.faultRate = 0;
      const already = between.requests.length;
      await toTheEnd(mirrored);
      const requests = between.requests.slice(already);
      const removals = ["/api/v2/news-removed", "/api/v2.1/calendar-removed"];
      const expected = via === "lists" ? [...catalog.map(({ path }) => path), ...removals] : ["/changes"];
      assert.deepEqual(new Set(requests.map(({ path }) => path)), new Set(expected));
      const since = ["updatedSince", "parameters[updated]", "after"];
      for (const { path, query } of requests)
        assert.ok(
          since.some((name) => query.has(name)),
          `${path}?${query}`,
        );
    }
  });
});
