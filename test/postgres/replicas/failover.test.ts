// Three server processes with a primary and a streaming replica, under load while databases stop and start: no incorrect
// response, and no error other than 503, and that only while no database is up.
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { bellwire, bellwireWrites, keyOn, type Serving, serving } from "../../commands/support/bellwire.ts";
import { type RecordInput, startApi } from "../../support/clients/api.ts";
import { makePostgres, type PostgresServer } from "../../support/stores/postgres.ts";
import { waitUntil } from "../../support/wait-until.ts";
import { assertUnavailable, fetchReply, hangs, whileSuspended } from "../pool/waiting.ts";

const paths = [
  "/api/v2/news?pageSize=20",
  "/api/v2/news?topics=market&displayOutput=full",
  "/api/v2/news?tickers=AAPL&format=text&displayOutput=abstract",
  "/api/v2.1/calendar/ratings?parameters[tickers]=AAPL,F",
  "/api/v2.1/calendar/ratings?simplify=true&fields=id,ticker,rating_current",
  "/api/v2.1/calendar/ratings?pagesize=3&page=2",
];

/** Records of one import; each generation adds to the previous one. */
function generation(number: number): { news: RecordInput[]; ratings: RecordInput[] } {
  const at = 1_730_800_000 + number * 1000;
  const indexes = Array.from({ length: 20 }, (_, index) => index);
  return {
    news: indexes.map((index) => ({
      id: number * 100 + index + 1,
      title: `Market ${index} of ${number}`,
      body: `<p>The market moves ${index}</p>`,
      teaser: "A market",
      created: at + index,
      stocks: [{ name: index % 2 === 0 ? "AAPL" : "F" }],
    })),
    ratings: indexes.map((index) => ({
      id: `r${number}-${index}`,
      date: `2024-11-${String(number + 5).padStart(2, "0")}`,
      ticker: index % 3 === 0 ? "AAPL" : "F",
      rating_current: "Overweight",
      updated: at,
    })),
  };
}

/** `settled`: when no process may return older data any longer. */
type Generation = { readonly bodies: ReadonlyMap<string, string>; began: number; settled: number };

/** The expected bodies after each import, from another store. */
async function rightAnswers(count: number): Promise<Generation[]> {
  const api = await startApi();
  const generations: Generation[] = [];
  for (let number = 0; number < count; number++) {
    const { news, ratings } = generation(number);
    await api.has("news", news);
    await api.has("ratings", ratings);
    const bodies = new Map<string, string>();
    for (const path of paths) bodies.set(path, (await api.fetch(path)).text);
    generations.push({ bodies, began: Number.POSITIVE_INFINITY, settled: Number.POSITIVE_INFINITY });
  }
  await api.close();
  return generations;
}

/** Maximum age of a replica's response. */
const stalenessMs = 1000;

/** After so many consecutive current responses, no older one may follow. */
const inARow = 100;

describe("failover [postgres]", hangs, () => {
  let primary: PostgresServer;
  let replica: PostgresServer;
  let generations: Generation[];
  let processes: Serving[];
  let key = "";
  let responses = 0;
  let importedAt = 0;
  /** Consecutive responses with the last import, requested when no replica may return older data. */
  let newest = 0;
  const errors: string[] = [];
  const unavailable: { began: number; ended: number; process: number }[] = [];
  /** While no database is up, including the time until that is detected. */
  const dark: { began: number; ended: number }[] = [];
  const clients = new AbortController();
  let load: Promise<unknown> = Promise.resolve();

  const put = async (number: number) => {
    const written = generations[number] as Generation;
    written.began = performance.now();
    for (const [resource, records] of Object.entries(generation(number))) {
      const input = records.map((record) => JSON.stringify(record)).join("\n");
      await bellwireWrites(["import", resource, "-", "--database", primary.url], { input });
    }
    importedAt = performance.now();
    newest = 0;
  };

  const settled = async (number: number) => {
    await waitUntil(() => newest >= inARow, "all serve the new records");
    (generations[number] as Generation).settled = performance.now();
  };

  /** Sequential requests, each compared with what is correct at that time. */
  const client = async (offset: number) => {
    for (let count = offset; !clients.signal.aborted; count++) {
      const at = count % processes.length;
      const path = paths[count % paths.length] as string;
      const began = performance.now();
      const reply = await fetchReply(`${processes[at]?.url}${path}`, { authorization: `Bearer ${key}` }).catch(String);
      const ended = performance.now();
      responses++;
      if (typeof reply === "string") errors.push(`process ${at} did not respond to ${path}: ${reply}`);
      else if (reply.status === 503) {
        unavailable.push({ began, ended, process: at });
        if (!reply.headers.has("retry-after") || reply.json.code !== "server.unavailable") errors.push(reply.text);
      } else {
        const expected = generations.findLast(
          ({ bodies, began: written }, number) =>
            bodies.get(path) === reply.text &&
            written < ended &&
            began < (generations[number + 1]?.settled ?? Number.POSITIVE_INFINITY),
        );
        const last = generations.findLast(({ began: written }) => written !== Number.POSITIVE_INFINITY);
        if (expected !== last) newest = 0;
        else if (began > importedAt + stalenessMs) newest++;
        if (expected === undefined) errors.push(`process ${at}, ${path}: ${reply.status} ${reply.text.slice(0, 100)}`);
      }
      await pause(15);
    }
  };

  const everyone = (check: (url: string) => Promise<boolean>) => async () =>
    (await Promise.all(processes.map(({ url }) => check(url)))).every(Boolean);
  const ready = async (url: string) => (await fetchReply(`${url}/readyz`)).json;
  const allOk = everyone(async (url) => (await ready(url)).status === "ok");

  before(async () => {
    generations = await rightAnswers(4);
    primary = await makePostgres(undefined, ["wal_keep_size=64MB"]);
    await primary.start();
    key = await keyOn(primary.url);
    await put(0);
    await primary.stop();
    replica = await makePostgres(primary, ["wal_retrieve_retry_interval=500ms"]);
    await Promise.all([primary.start(), replica.start()]);
    const flags = ["--database", primary.url, "--replicas", replica.url, "--no-demo", "--log-level", "fatal"];
    processes = await Promise.all([1, 2, 3].map(() => serving(flags)));
    await waitUntil(allOk, "all servers are known");
    load = Promise.all([0, 1, 2, 3].map(client));
  });

  after(async () => {
    clients.abort();
    await load;
    await Promise.all((processes ?? []).map((each) => each.stop("SIGKILL")));
    await replica?.remove();
    await primary?.remove();
  });

  /** No incorrect response so far, and no 503 while a database was up. */
  const assertRight = async (least: number) => {
    const before = responses;
    await waitUntil(() => responses >= before + least, "the load goes on");
    assert.deepEqual(errors, []);
    const early = unavailable.filter(
      ({ began, ended }) => !dark.some((night) => began < night.ended && ended > night.began),
    );
    assert.deepEqual(early, []);
  };

  test("every response is correct while both are up", () => assertRight(100));

  test("reads fail over to the primary, including newly imported records, while the replica is down", async () => {
    await replica.stop();
    await waitUntil(
      everyone(async (url) => {
        const { status, checks } = await ready(url);
        return status === "degraded" && checks.primary === "ok" && Object.values(checks).includes("away");
      }),
      "the loss is reported",
    );
    await assertRight(50);
    await put(1);
    await settled(1);
    await assertRight(50);
  });

  test("a restarted replica serves reads once it has caught up", async () => {
    await replica.start();
    await waitUntil(allOk, "the replica counts again");
    await assertRight(100);
  });

  test("reads continue from the replica, and imports fail with a clear error, while the primary is down", async () => {
    await primary.stop();
    await waitUntil(
      everyone(async (url) => {
        const { status, checks } = await ready(url);
        return status === "degraded" && checks.primary === "away" && Object.values(checks).includes("ok");
      }),
      "the loss is reported",
    );
    const failed = await bellwire(["import", "news", "-", "--database", primary.url], { input: '{"id":9999}\n' });
    assert.equal(failed.status, 1);
    assert.match(failed.stderr, /^bellwire: postgres:\/\/127\.0\.0\.1:\d+\/postgres is not available: .*ECONNREFUSED/);
    assert.doesNotMatch(failed.stderr, /\n\s+at /);
    await assertRight(100);
  });

  test("all processes serve records imported after the primary is back", async () => {
    await primary.start();
    await put(2);
    await waitUntil(allOk, "all is well again");
    await settled(2);
    await assertRight(100);
  });

  test("responds with 503 while both are down, and recovers without a restart", async (t) => {
    const night = { began: performance.now(), ended: Number.POSITIVE_INFINITY };
    dark.push(night);
    await Promise.all([primary.stop("immediate"), replica.stop("immediate")]);
    for (const { url } of processes) {
      // Until the outage is detected, requests may be served from the cache.
      await waitUntil(async () => (await fetchReply(`${url}/readyz`)).status === 503, "the outage is detected");
      const reply = await fetchReply(`${url}${paths[1]}`, { authorization: `Bearer ${key}` });
      assertUnavailable(reply);
      assertUnavailable(await fetchReply(`${url}/readyz`));
      assert.equal((await fetchReply(`${url}/livez`)).status, 200);
    }
    await Promise.all([primary.start(), replica.start()]);
    await waitUntil(allOk, "all is well again");
    night.ended = performance.now();
    await put(3);
    await settled(3);
    await assertRight(100);
    t.diagnostic(`${responses} responses, ${unavailable.length} of them 503`);
    for (const { child } of processes) assert.equal(child.exitCode, null);
  });

  test("requests to a replica that stops responding are retried on the primary", async () => {
    clients.abort();
    await load;
    const impatient = new URL(replica.url);
    impatient.searchParams.set("connect_timeout", "2");
    // However stale, it serves reads until it is marked as down.
    const flags = ["--database", primary.url, "--replicas", impatient.href, "--replica-staleness", "300"];
    const server = await serving([...flags, "--no-demo", "--log-level", "fatal"]);
    const isOk = async () => (await ready(server.url)).status === "ok";
    await waitUntil(isOk, "both servers are known");
    await whileSuspended(replica, async () => {
      const replies = await Promise.all(
        paths.map((path) => fetchReply(`${server.url}${path}`, { authorization: `Bearer ${key}` })),
      );
      assert.deepEqual(
        replies.map(({ text }) => text),
        paths.map((path) => generations.at(-1)?.bodies.get(path)),
      );
      assert.ok(Object.values((await ready(server.url)).checks).includes("away"));
    });
    await waitUntil(isOk, "the replica counts again");
    assert.equal((await server.stop()).status, 0);
  });
});
