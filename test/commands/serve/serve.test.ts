// `serve`: its output, settings from flags and variables, a second start, and failures to start.
import assert from "node:assert/strict";
import { mkdtempSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { before, describe, test } from "node:test";
import { bellwire, bellwireWrites, fileOf, folder, freshDatabase, keyOn, serving } from "../support/bellwire.ts";

const quiet = ["--no-demo", "--log-level", "silent"];

describe("serve", () => {
  test("with --no-demo starts empty, creates no key, and prints how to create one", async () => {
    const database = freshDatabase();
    const server = await serving(["--database", database, ...quiet]);
    assert.match(server.url, /^http:\/\/127\.0\.0\.1:[1-9]\d*$/);
    const alive = await fetch(`${server.url}/livez`);
    assert.equal(alive.status, 200);
    await alive.body?.cancel();
    assert.match(server.output.stdout, /keys create/);
    assert.doesNotMatch(server.output.stdout, /bw_/);
    const key = await keyOn(database);
    const found = await fetch(`${server.url}/api/v2/news`, { headers: { authorization: `Bearer ${key}` } });
    assert.deepEqual([found.status, await found.text()], [200, "[]"]);
    const compatible = await fetch(`${server.url}/api/v1/calendar/ratings/?token=${key}&page_size=5000`);
    assert.equal(compatible.status, 404, "without --compat");
    const { status, stdout } = await server.stop();
    assert.equal(status, 0);
    assert.equal(stdout.match(/^listening on /gm)?.length, 1, "one listening line, with the chosen port");
    assert.match(stdout, /^listening on http:\/\/127\.0\.0\.1:\d+$/m);
  });

  test("reads settings from variables, and a flag takes precedence", async () => {
    const cwd = mkdtempSync(join(folder, "environment-"));
    const env = {
      BELLWIRE_DATABASE: "sub/folder/by-variable.db",
      BELLWIRE_PORT: "1",
      BELLWIRE_DEMO: "false",
      BELLWIRE_HOST: "localhost",
      BELLWIRE_ZONE: "Asia/Tokyo",
      BELLWIRE_CALENDAR_CUSIP: "string",
      BELLWIRE_CORS_ORIGINS: "https://app.example",
      BELLWIRE_LOG_LEVEL: "silent",
    };
    const server = await serving([], { env, cwd });
    assert.match(server.url, /^http:\/\/localhost:/);
    const news = fileOf("zone.ndjson", '{"id":1,"title":"t","created":"2024-11-05T14:30:00Z"}\n');
    const ratings = fileOf("cusip.ndjson", '{"id":"a","date":"2024-11-05","cusip":"38259P508"}\n');
    await bellwireWrites(["import", "news", news], { env, cwd });
    await bellwireWrites(["import", "ratings", ratings], { env, cwd });
    const token = (await bellwireWrites(["keys", "create", "--name", "k"], { env, cwd })).trim();
    const headers = { origin: "https://app.example" };
    const found = await fetch(`${server.url}/api/v2/news?token=${token}`, { headers });
    assert.equal(found.headers.get("access-control-allow-origin"), "https://app.example");
    assert.match(await found.text(), /Tue, 05 Nov 2024 23:30:00 \+0900/);
    const rated = await fetch(`${server.url}/api/v2.1/calendar/ratings?token=${token}`);
    assert.match(await rated.text(), /"cusip":"38259P508"/);
    assert.equal((await server.stop()).stderr, "");
  });
});

describe("serve, started twice", () => {
  const rounds: { output: string; rated: unknown[]; created: string }[] = [];

  before(async () => {
    const database = freshDatabase();
    const key = await keyOn(database);
    const ratings = fileOf("serve.ndjson", '{"id":"a","date":"2024-11-05","ticker":"F"}\n');
    await bellwireWrites(["import", "ratings", ratings, "--database", database]);
    const news = fileOf("news.ndjson", '{"id":1,"title":"t","created":"2024-11-05T14:30:00Z"}\n');
    await bellwireWrites(["import", "news", news, "--database", database]);
    for (const flags of [["--zone", "UTC"], []]) {
      // Without --no-demo.
      const server = await serving(["--database", database, "--log-level", "silent", ...flags]);
      const found = await fetch(`${server.url}/api/v2.1/calendar/ratings?token=${key}`);
      const rated = [found.status, found.headers.get("etag"), await found.text()];
      const [item] = (await (await fetch(`${server.url}/api/v2/news?token=${key}`)).json()) as { created: string }[];
      const { stdout, stderr } = await server.stop();
      rounds.push({ output: stdout + stderr, rated, created: item?.created ?? "" });
    }
  });

  test("serves what was imported, and the same the second time, with the same key", () => {
    assert.deepEqual(rounds[0]?.rated, rounds[1]?.rated);
    assert.match(String(rounds[0]?.rated[2]), /"ticker":"F"/);
  });

  test("adds no demo to a database with records", () => {
    for (const { output } of rounds) assert.doesNotMatch(output, /demo|bw_/);
  });

  test("remembers a time zone, and a new one re-encodes every record", () => {
    const encoded = rounds.map(({ created }) => created);
    assert.deepEqual(encoded, ["Tue, 05 Nov 2024 14:30:00 +0000", "Tue, 05 Nov 2024 14:30:00 +0000"]);
  });
});

describe("serve, if it can't start", () => {
  test("because of a port in use, reports it in one line, without a stack trace", async () => {
    const other = createServer();
    await new Promise<void>((resolve) => other.listen(0, "127.0.0.1", resolve));
    const { port } = other.address() as { port: number };
    const run = await bellwire(["serve", "--port", String(port), "--database", freshDatabase(), ...quiet]);
    other.close();
    assert.equal(run.status, 1);
    assert.doesNotMatch(run.stdout, /listening/);
    assert.match(run.stderr, new RegExp(`^bellwire: --port: .*127\\.0\\.0\\.1:${port} is in use.*\\n$`));
  });

  test("because a file is not a database, reports it in one line, without a stack trace", async () => {
    const file = fileOf("no-database.db", "this is not a database, but long enough to be looked at ".repeat(20));
    const run = await bellwire(["serve", "--port", "0", "--database", file, ...quiet]);
    assert.equal(run.status, 1);
    assert.match(run.stderr, /^bellwire: [^\n]*no-database\.db[^\n]*\n$/);
  });

  test("because the database is of a newer version, prints what to do in one line, without a stack trace", async () => {
    const file = freshDatabase();
    const database = new DatabaseSync(file);
    database.exec("pragma user_version = 1000");
    database.close();
    const run = await bellwire(["serve", "--port", "0", "--database", file, ...quiet]);
    assert.equal(run.status, 1);
    assert.match(run.stderr, /^bellwire: [^\n]*newer[^\n]*upgrade[^\n]*\n$/);
  });
});

describe("the log of serve", () => {
  test("is JSON on standard error, includes the name of the key, and never the key itself", async () => {
    const database = freshDatabase();
    const key = await keyOn(database, "reader");
    const server = await serving(["--database", database, "--no-demo"]);
    const statuses = [];
    for (const query of [`token=${key}`, `token=${key}&page=x`, `token=wrong-secret&tickers=${key}`]) {
      const found = await fetch(`${server.url}/api/v2/news?${query}`);
      statuses.push(found.status);
      assert.ok(!(await found.text()).includes(key));
    }
    assert.deepEqual(statuses, [200, 400, 401]);
    const { stdout, stderr } = await server.stop();
    assert.ok(!stdout.includes(key) && !stderr.includes(key) && !stderr.includes("wrong-secret"));
    const lines = stderr
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line));
    const served = lines.filter(({ msg }) => msg === "request");
    assert.deepEqual(
      served.map((line) => [line.status, line.key, line.url]),
      [
        [200, "reader", "/api/v2/news?token=…"],
        [400, "reader", "/api/v2/news?token=…&page=x"],
        [401, "", "/api/v2/news?token=…&tickers=bw_…"],
      ],
    );
  });
});
