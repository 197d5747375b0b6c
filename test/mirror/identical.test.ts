// A mirror of an upstream that is written to and removed from all the while, through a proxy that spoils a third of the
// answers, killed again and again on the way: it ends identical to its upstream. In a long run with fifty thousand records
// and ten kills.
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { openSqlite } from "../../src/open-sqlite.ts";
import { catalog } from "../../src/resources/catalog.ts";
import type { Store } from "../../src/store/store.ts";
import { bellwire, freshDatabase, keyOn, type Serving, serving, start } from "../commands/support/bellwire.ts";
import { runs } from "../support/budget.ts";
import { type Api, startApi } from "../support/clients/api.ts";
import { waitUntil } from "../support/wait-until.ts";
import { type Crowd, crowdOf, disturb, load } from "./support/crowd.ts";
import { answerAlike, asksByShown, exports, listAlike, randomRequests } from "./support/identical.ts";
import { type Between, proxy } from "./support/proxy.ts";

const upstreamFile = freshDatabase();
const kills = runs(2, 10);
const requests = runs(150, 1300);
let crowd: Crowd;
let store: Store;
let server: Serving;
let key: string;
let upstreamApi: Api | undefined;

before(async () => {
  store = openSqlite({ file: upstreamFile });
  crowd = crowdOf(runs(150, 3000), runs(300, 100_000));
  assert.ok((await load(store, crowd)) >= runs(2000, 50_000));
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

/** Runs the mirror and kills it after some requests, or some time after the first of them, again and again. */
async function killAgainAndAgain(mirrored: Mirrored): Promise<void> {
  const { asked } = mirrored.between;
  for (let time = 0; time < kills; time++) {
    const before = asked.length;
    const enough = before + 2 + Math.floor(Math.random() * 30);
    const running = start(flags(mirrored), { env: env() });
    const hasEnded = () => running.child.exitCode !== null;
    await waitUntil(() => asked.length > before || hasEnded(), "the mirror asks");
    const latest = performance.now() + 2000 * Math.random();
    await waitUntil(() => asked.length >= enough || performance.now() > latest || hasEnded());
    const { signal, stderr } = await running.stop("SIGKILL");
    assert.equal(signal, "SIGKILL", stderr);
  }
}

async function toTheEnd(mirrored: Mirrored): Promise<void> {
  const { status, stderr } = await bellwire([...flags(mirrored), "--once"], { env: env(), ownProcess: true });
  assert.equal(status, 0, stderr);
}

async function begin(via: Mirrored["via"]): Promise<Mirrored> {
  const between = await proxy(server.url);
  between.misbehaving = 1 / 3;
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

describe("a mirror that is killed again and again, of an upstream that changes and misbehaves all the while", () => {
  let mirrors: Mirrored[] = [];
  let urls: string[] = [];
  after(async () => {
    for (const { between } of mirrors) await between.close();
  });

  test("gets to the end", async (t) => {
    mirrors = [await begin("lists"), await begin("changes")];
    const stop = new AbortController();
    const disturbing = disturb(store, crowd, stop.signal);
    await Promise.all(mirrors.map(killAgainAndAgain));
    await Promise.all(mirrors.map(toTheEnd));
    stop.abort();
    t.diagnostic(`${await disturbing} writes and removals meanwhile`);
    await Promise.all(mirrors.map(toTheEnd));
    for (const { via, between } of mirrors) {
      const wrong = [...between.wrongs.values()].reduce((a, b) => a + b, 0);
      t.diagnostic(`${via}: ${between.asked.length} requests, of which ${wrong} went wrong`);
    }
  });

  test("is then identical by the change feed: the same export, and the same answers to random requests", async () => {
    await besideUpstream(mirrors[1], async (theirs, ours) => {
      const [there, here] = [await exports(theirs.store), await exports(ours.store)];
      for (const { name } of catalog) assert.ok(there[name]?.join("\n") === here[name]?.join("\n"), `${name} differ`);
      urls = await randomRequests(theirs.store, requests);
      await answerAlike(theirs, ours, urls);
    });
  });

  test("is then identical by the lists: the same lists, and the same answers to requests by what is shown", async () => {
    await besideUpstream(mirrors[0], async (theirs, ours) => {
      await listAlike(theirs, ours);
      const shown = urls.filter(asksByShown);
      assert.ok(shown.length >= requests * 0.75);
      await answerAlike(theirs, ours, shown);
    });
  });

  test("sends then no request that what it remembers makes needless", async () => {
    for (const mirrored of mirrors) {
      const { between, via } = mirrored;
      between.misbehaving = 0;
      const already = between.asked.length;
      await toTheEnd(mirrored);
      const asked = between.asked.slice(already);
      const removals = ["/api/v2/news-removed", "/api/v2.1/calendar-removed"];
      const expected = via === "lists" ? [...catalog.map(({ path }) => path), ...removals] : ["/changes"];
      assert.deepEqual(new Set(asked.map(({ path }) => path)), new Set(expected));
      const since = ["updatedSince", "parameters[updated]", "after"];
      for (const { path, query } of asked)
        assert.ok(
          since.some((name) => query.has(name)),
          `${path}?${query}`,
        );
    }
  });
});
