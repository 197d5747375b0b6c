// `feed` imports news, once or until it is stopped.
import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { describe, test } from "node:test";
import { feedServer, item, rss } from "../feeds/feed-server.ts";
import { bellwire, bellwireWrites, freshDatabase, start } from "./support/bellwire.ts";

const records = async (database: string): Promise<Record<string, unknown>[]> =>
  (await bellwireWrites(["export", "news", "--database", database]))
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line));

describe("feed", () => {
  test("imports the items of several feeds, reports each feed, and imports nothing twice", () =>
    feedServer(async (server) => {
      const database = freshDatabase();
      server.respond((request, response) => {
        if (request.headers["if-none-match"] === '"1"') response.writeHead(304).end();
        else response.writeHead(200, { etag: '"1"' }).end(rss(item("1") + item("2")));
      });
      const url = `http://127.0.0.1:${server.port}`;
      const args = [
        "feed",
        `${url}/a?key=secret`,
        `${url}/b`,
        `${url}/b#again`,
        "--channel",
        "Wire",
        "--database",
        database,
      ];
      const report = "read 2, created 2, updated 0, unchanged 0, refused 0";
      assert.equal(await bellwireWrites(args), `${url}/a: ${report}\n${url}/b: ${report}\n`);
      assert.equal(await bellwireWrites(args), `${url}/a: not modified\n${url}/b: not modified\n`);
      const found = await records(database);
      assert.equal(found.length, 4);
      for (const { channels, content_type } of found) {
        assert.deepEqual([channels, content_type], [[{ name: "Wire" }], "feed"]);
      }
    }));

  test("a failing feed is reported in one line, with status 1, and the others are imported", () =>
    feedServer(async (server) => {
      const database = freshDatabase();
      server.respond((request, response) => {
        if (request.url?.startsWith("/bad")) response.writeHead(500).end();
        else response.end(rss(item("1") + item("2", "")));
      });
      const url = `http://127.0.0.1:${server.port}`;
      const run = await bellwire(["feed", `${url}/bad?key=secret`, `${url}/good`, "--database", database]);
      assert.equal(run.status, 1);
      assert.equal(
        run.stderr,
        `feed: ${url}/bad: it responded with 500\nrefused: 2: expected a title or a text, got neither\n`,
      );
      assert.equal(run.stdout, `${url}/good: read 2, created 1, updated 0, unchanged 0, refused 1\n`);
      assert.equal((await records(database)).length, 1);
    }));

  test("invalid arguments are reported before anything is created or requested", () =>
    feedServer(async (server) => {
      const database = freshDatabase();
      for (const [args, output] of [
        [[], /URL: expected at least one feed URL/],
        [["news.example/feed"], /URL: expected .* http:\/\/ or https:\/\/ URL, got "news\.example\/feed"/],
        [["file:///etc/passwd"], /URL: expected/],
        [[server.url, "--every", "often"], /--every: expected a time such as 30s, 5m, or 1h, .*got "often"/],
        [[server.url, "--every", "1s"], /--every: expected .* from 10 s/],
        [[server.url, "--channel", " "], /--channel: expected a name/],
      ] as const) {
        const run = await bellwire(["feed", ...args, "--database", database]);
        assert.deepEqual([run.status, run.stdout], [2, ""], run.stderr);
        assert.match(run.stderr, output);
      }
      assert.equal(existsSync(database), false);
      assert.equal(server.requests.length, 0);
    }));

  test("with --every it continues after a failure, reports what is new, and stops on a signal", () =>
    feedServer(async (server) => {
      const database = freshDatabase();
      let visits = 0;
      server.respond((_, response) => {
        visits++;
        if (visits === 1) response.writeHead(503, { "retry-after": "1" }).end();
        else if (visits === 2) response.end(rss(item("2")));
        // A later poll, if the test itself is slow, gets nothing.
      });
      const env = { NODE_OPTIONS: `--import=${new URL("support/hurried.ts", import.meta.url).href}` };
      const run = start(["feed", server.url, "--every", "10s", "--database", database], { env });
      await run.until("stderr", /it responded with 503/);
      await run.until("stdout", /created 1, updated 0/);
      const { status, stdout } = await run.stop("SIGTERM");
      assert.equal(status, 0);
      assert.equal(stdout, `${server.url}: read 1, created 1, updated 0, unchanged 0, refused 0\n`);
    }));

  test("with --every it drops a feed that is gone for good, and exits with the last one", () =>
    feedServer(async (server) => {
      server.respond((_, response) => response.writeHead(410).end());
      const run = await bellwire(["feed", server.url, "--every", "10s", "--database", freshDatabase()]);
      assert.deepEqual([run.status, run.stderr], [1, `feed: ${server.url}: it responded with 410\n`]);
    }));
});
