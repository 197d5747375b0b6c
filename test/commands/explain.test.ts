// `explain` shows how a request is executed, or what is wrong with it.
import assert from "node:assert/strict";
import { before, describe, test } from "node:test";
import { generateKey } from "../../src/keys/key.ts";
import { bellwire, bellwireWrites, fileOf, freshDatabase, start } from "./support/bellwire.ts";

const database = freshDatabase();
const explain = (url: string) => bellwire(["explain", url, "--database", database]);

before(async () => {
  const file = fileOf("explain.ndjson", '{"id":"a","date":"2024-11-05","ticker":"F"}\n');
  await bellwireWrites(["import", "ratings", file, "--database", database]);
});

/** The lines under a title, up to the next empty line. */
const section = (text: string, title: string): string =>
  new RegExp(`^${title}\\n((?: .*\\n)*)`, "m").exec(text)?.[1] ?? `there is no ${title}`;

describe("explain", () => {
  test("shows the parts, the plan, the SQL with its parameters, the query plan, and the time", async () => {
    const url =
      "/api/v2.1/calendar/ratings?parameters[tickers]=f,gm&parameters%5Bdate_from%5D=2024-01-01&simplify=1&typo=1&pagesize=7";
    const args = ["explain", url, "--database", database];
    const { status, stdout, stderr } = await bellwire(args, { ownProcess: true });
    assert.deepEqual([status, stderr], [0, ""]);
    const parts = section(stdout, "Parts");
    assert.match(parts, /parameters\[tickers\].*"F","GM"/);
    assert.match(parts, /parameters\[date_from\].*2024-01-01/);
    assert.match(section(stdout, "Ignored"), /typo/);
    assert.match(section(stdout, "Plan"), /limit: 7/);
    assert.match(section(stdout, "View"), /simplify/);
    assert.match(section(stdout, "SQL"), /select .* from /i);
    assert.match(section(stdout, "Parameters"), /"GM"/);
    assert.match(section(stdout, "Query plan"), /ratings/);
    assert.match(section(stdout, "Time"), /\d+ µs/);
  });

  test("accepts the other lists too, including path parameters", async () => {
    const item = await explain("/api/v2/news/00007?displayOutput=full");
    assert.equal(item.status, 0, item.stderr);
    assert.match(section(item.stdout, "Resource"), /news-item/);
    assert.match(section(item.stdout, "Parts"), /id → .*"value":7/);
    const { stdout } = await explain("/api/v2.1/calendar/ratings/firms");
    assert.match(section(stdout, "Plan"), /latestPer: .*firm_id/);
    assert.match((await explain("/api/v2/news/x")).stderr, /^id: expected an integer from 1 to 4294967295, got "x"/);
  });

  test("accepts a full URL and doesn't print its token", async () => {
    const { status, stdout } = await explain(
      "https://data.example:8443/api//v2/news/?token=bw_secretsecretsecretsecretsecretsecret12&topics=merger&topic_group_by=and",
    );
    assert.equal(status, 0);
    assert.match(section(stdout, "Resource"), /news/);
    assert.match(stdout, /merger/);
    assert.doesNotMatch(stdout, /bw_|token/);
  });

  test("tolerates truncated output, as by head", async () => {
    const run = start(["explain", "/api/v2/news", "--database", database]);
    run.child.stdout.destroy();
    const { status, stderr } = await run.finished;
    assert.deepEqual([status, stderr], [0, ""]);
  });

  test("reports all invalid parameters and fails", async () => {
    const { status, stdout, stderr } = await explain(
      "/api/v2.1/calendar/economics?parameters[importance]=4&country=XX",
    );
    assert.deepEqual([status, stdout], [1, ""]);
    assert.match(stderr, /^parameters\[importance\]: expected an integer from 1 to 3, got "4"$/m);
    assert.match(stderr, /^country: expected .*, got "XX"$/m);
    const key = generateKey();
    assert.ok(
      !(await explain(`/api/v2/news?page=${key}`)).stderr.includes(key),
      "a key in a wrong place is not repeated",
    );
  });

  test("lists the valid paths when the path is unknown or missing", async () => {
    for (const args of [["/api/v2/calendar/ratings"], ["http://localhost:8080/"]]) {
      const { status, stderr } = await bellwire(["explain", ...args, "--database", database]);
      assert.equal(status, 2);
      assert.match(stderr, /\/api\/v2\.1\/calendar\/ratings/);
    }
    const { status, stderr } = await bellwire(["explain", "--database", database]);
    assert.equal(status, 2);
    assert.match(stderr, /URL: expected a path and query such as/);
  });
});
