// `bellwire check` against servers that conform: no findings, within the budget, in every form of report.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { XMLParser } from "fast-xml-parser";
import { type CheckOptions, checkServer } from "../../src/conformance/run.ts";
import { catalog } from "../../src/resources/catalog.ts";
import { compatTable } from "../../src/resources/compat/compat.ts";
import { economicEvent, newsItem, rating, startBellwire, type TestServer } from "../../testing/index.ts";
import { bellwire } from "../commands/support/bellwire.ts";
import { breakServer } from "./broken-server.ts";
import { demoSample } from "./demo-records.ts";

const check = ({ url, token }: TestServer, options: Partial<CheckOptions> = {}) =>
  checkServer({ base: url, token, profile: "seed", lists: catalog, compatTable, ...options });

const listed = (...names: string[]) => catalog.filter(({ name }) => names.includes(name));

const noFindings = ({ results }: Awaited<ReturnType<typeof check>>): void => {
  assert.deepEqual(
    results.flatMap(({ findings }) => findings),
    [],
  );
};

describe("a server that conforms", () => {
  let server: TestServer;
  before(async () => {
    server = await startBellwire(demoSample());
  });
  after(() => server.close());

  test("has no findings, and no list is left out", async (t) => {
    const report = await check(server);
    noFindings(report);
    assert.deepEqual(
      report.results.filter(({ skipped }) => skipped !== undefined),
      [],
    );
    assert.deepEqual(
      [...new Set(report.results.map(({ list }) => list))],
      catalog.map(({ name }) => name),
    );
    t.diagnostic(`${report.requests} requests`);
  });

  test("is not compatible with other implementations by default", async () => {
    const { results } = await check(server, { profile: "compat", lists: listed("conference-calls") });
    assert.ok(results.some(({ findings }) => findings.length > 0));
  });

  test("is checked within the budget, evenly over the lists, and reports what was left out", async () => {
    server.requests.length = 0;
    const { requests, results } = await check(server, { budget: 70 });
    assert.equal(requests, server.requests.length);
    assert.ok(requests <= 70);
    for (const { name } of catalog) {
      const own = results.filter(({ list }) => list === name);
      assert.ok(
        own.some(({ requests }) => requests > 0),
        name,
      );
      assert.ok(
        own.some(({ skipped }) => skipped === "the budget of requests is used up"),
        name,
      );
    }
  });

  test("is sent no more requests for a while if it limits them", async () => {
    server.requests.length = 0;
    server.fault({ status: 429, retryAfter: 7, times: 2 });
    const pauses: number[] = [];
    const pause = async (ms: number) => pauses.push(ms);
    noFindings(await check(server, { lists: listed("ratings"), budget: 40, pause }));
    assert.deepEqual(pauses, [7000, 7000]);
  });

  test("is sent only the requests of the checks that --only names", async () => {
    const env = { BELLWIRE_TOKEN: server.token };
    const only = async (...names: string[]) =>
      bellwire(["check", server.url, "--list", "ratings", ...names.flatMap((name) => ["--only", name])], { env });
    const { status, stdout, stderr } = await only("access", "order");
    assert.equal(status, 0, stderr);
    assert.match(stdout, /^ratings +2 +\d+ +ok$/m);
    const wrong = await only("order", "speed");
    assert.equal(wrong.status, 2);
    assert.match(wrong.stderr, /--only: expected one of records, order, .*, limits, got "speed"/);
  });

  test("is reported as text, JSON, and JUnit, with exit status 0", async () => {
    const args = ["check", server.url, "--list", "conference-calls"];
    const env = { BELLWIRE_TOKEN: server.token };
    const text = await bellwire(args, { env });
    assert.equal(text.status, 0, text.stderr);
    assert.match(text.stdout, /^conference-calls +12 +\d+ +ok$/m);
    assert.match(text.stdout, /^no findings$/m);
    const json = await bellwire([...args, "--format", "json"], { env });
    assert.deepEqual(JSON.parse(json.stdout).results[0].findings, []);
    const output = join(tmpdir(), `check-${process.pid}.xml`);
    assert.equal((await bellwire([...args, "--output", output], { env })).status, 0);
    const { testsuites } = new XMLParser({ ignoreAttributes: false }).parse(readFileSync(output, "utf8"));
    assert.equal(testsuites["@_failures"], "0");
    assert.equal(testsuites.testsuite.testcase.length, 12);
  });
});

test("with --compat, a server conforms to what clients of other implementations expect", async () => {
  await using server = await startBellwire({ ...demoSample(), compat: true });
  noFindings(await check(server, { profile: "compat" }));
});

test("a list with more records than are read is compared by its first days", async () => {
  const days = (count: number) =>
    Array.from({ length: count }, (_, at) => `2026-01-${String(1 + (at % 14)).padStart(2, "0")}`);
  await using server = await startBellwire({
    records: {
      economics: days(700).map((date, at) => economicEvent({ date, importance: 1 + (at % 3) })),
      news: days(500).map((day, at) => newsItem({ created: `${day}T12:00:00Z`, title: `Story ${at % 9}` })),
    },
  });
  const report = await check(server, { lists: listed("economics", "news") });
  noFindings(report);
});

test("an empty list conforms, but its filters aren't checked", async () => {
  await using server = await startBellwire({ records: {} });
  const report = await check(server, { lists: listed("ratings") });
  noFindings(report);
  assert.equal(report.results.find(({ check }) => check === "filters")?.skipped, "the list has no records");
});

test("records that change meanwhile are no finding", async () => {
  await using server = await startBellwire({ records: { ratings: [rating()] } });
  const proxy = await breakServer(server.url);
  let requests = 0;
  const changing = (times: number) => ({
    ...{ name: "changes", list: "ratings", check: "records" },
    request: async () => requests++ < times && (await server.put({ ratings: [rating()] })),
  });
  const run = () => check(server, { base: proxy.url, lists: listed("ratings") });
  try {
    proxy.mutant = changing(5);
    const settled = await run();
    noFindings(settled);
    assert.equal(settled.results.filter(({ skipped }) => skipped === undefined).length, 12);
    proxy.mutant = changing(Number.POSITIVE_INFINITY);
    const restless = await run();
    noFindings(restless);
    assert.match(restless.results[0]?.skipped ?? "", /^records changed while they were compared/);
  } finally {
    proxy.close();
  }
});

test("a server may be behind a path", async () => {
  await using server = await startBellwire(demoSample());
  const proxy = await breakServer(server.url);
  proxy.mutant = {
    ...{ name: "path", list: "earnings", check: "pages" },
    request: (request) => {
      request.path = request.path.replace(/^\/data\//, "/");
    },
  };
  try {
    noFindings(await check(server, { base: `${proxy.url}/data`, lists: listed("earnings") }));
  } finally {
    proxy.close();
  }
});

test("a finding is a failed test case in JUnit, with its request, and exit status 1", async () => {
  await using server = await startBellwire(demoSample());
  const proxy = await breakServer(server.url);
  proxy.mutant = {
    ...{ name: "importance", list: "earnings", check: "filters" },
    request: ({ query }) => query.delete("parameters[importance]"),
  };
  try {
    const env = { BELLWIRE_TOKEN: server.token };
    const args = ["check", proxy.url, "--list", "earnings"];
    const { status, stdout } = await bellwire([...args, "--format", "junit"], { env });
    assert.equal(status, 1);
    const { testsuites } = new XMLParser({ ignoreAttributes: false }).parse(stdout);
    const failed = testsuites.testsuite.testcase.filter(({ failure }: { failure?: object }) => failure !== undefined);
    assert.equal(testsuites["@_failures"], String(failed.length));
    assert.match(failed[0].failure["@_message"], /^\d+ unexpected records/);
    assert.match(failed[0].failure["#text"], /curl -gsi 'http.*token=TOKEN.*parameters\[importance\]/);
    assert.ok(!stdout.includes(server.token));
  } finally {
    proxy.close();
  }
});

test("a server that closes the connection is a finding, and other lists are still checked", async () => {
  await using server = await startBellwire(demoSample());
  const proxy = await breakServer(server.url);
  proxy.mutant = {
    ...{ name: "crash", list: "ratings", check: "filters" },
    request: ({ path, query, socket }) => {
      if (path.endsWith("/ratings") && query.has("parameters[action]")) socket.destroy();
    },
  };
  try {
    const { results } = await check(server, { base: proxy.url, lists: listed("ratings", "earnings") });
    const [found, ...others] = results.flatMap(({ findings }) => findings);
    assert.deepEqual(others, []);
    assert.deepEqual([found?.list, found?.check, found?.message], ["ratings", "filters", "no response"]);
    assert.match(found?.request ?? "", /^curl -gsi 'http.*parameters\[action\]/);
    const skipped = results.filter((each) => each.skipped === "the server did not respond");
    assert.deepEqual([...new Set(skipped.map(({ list }) => list))], ["ratings"]);
    assert.equal(results.filter((each) => each.list === "earnings" && each.skipped === undefined).length, 12);
  } finally {
    proxy.close();
  }
});

test("a key that is rejected is a finding with exit status 1", async () => {
  await using server = await startBellwire({ records: {} });
  const found = await bellwire(["check", server.url, "--list", "ratings"], { env: { BELLWIRE_TOKEN: "bw_other" } });
  assert.equal(found.status, 1);
  assert.match(found.stdout, /the list can't be read\n {2}received +status 401/);
  assert.doesNotMatch(found.stdout, /bw_other/);
});
