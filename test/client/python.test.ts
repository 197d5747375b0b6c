// The Python client reads the same records as the API, on a Python 3 if there is one.
import assert from "node:assert/strict";
import { execFile, spawnSync } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { after, before, describe, test } from "node:test";
import { promisify } from "node:util";
import { gzipSync } from "node:zlib";
import { type Api, recordsOf, startApi } from "../support/clients/api.ts";
import { ratings } from "../support/clients/bellwire-client.ts";

const hasPython = spawnSync("python3", ["-c", "import sys; sys.exit(sys.version_info < (3, 9))"]).status === 0;

const portOf = (server: Server): number => (server.address() as AddressInfo).port;

describe("the Python client", { skip: hasPython ? false : "python3 (3.9 or newer) is not installed" }, () => {
  let api: Api;
  before(async () => {
    api = await startApi();
    await api.has("ratings", ratings(0, 250));
    await api.has("news", [{ id: 7, title: "Seven", body: "<p>Text</p>" }]);
  });
  after(() => api.close());

  /** Runs code with a connected `api` and returns what it assigns to `result`. */
  async function python(code: string, options = ""): Promise<unknown> {
    const script = [
      "import json, sys",
      "from bellwire import Bellwire, BellwireError",
      `api = Bellwire("http://127.0.0.1:${await api.port()}/", "${api.token}"${options})`,
      code,
      "json.dump(result, sys.stdout)",
    ].join("\n");
    const { stdout } = await promisify(execFile)("python3", ["-c", script], {
      env: { ...process.env, PYTHONPATH: "clients/python", PYTHONDONTWRITEBYTECODE: "1" },
    });
    return JSON.parse(stdout);
  }

  test("lists all records, and pages by their parameters", async () => {
    const result = (await python(`
records = api.ratings.list(date_from="2026-01-01", tickers=["AAPL", "F"]).to_records()
page = api.ratings.page(pagesize=2, tickers="AAPL", fields=["id"])
then = api.ratings.page(**page.next)
result = [records, page.records + then.records, api.ratings_firms.page().records]`)) as unknown[];
    const all = recordsOf(await api.get("/api/v2.1/calendar/ratings?pagesize=1000"));
    const some = recordsOf(await api.get("/api/v2.1/calendar/ratings?pagesize=4&parameters[tickers]=AAPL&fields=id"));
    assert.deepEqual(result, [all, some, []]);
  });

  const hasPandas = spawnSync("python3", ["-c", "import pandas"]).status === 0;

  test("fills a data frame as documented", { skip: hasPandas ? false : "pandas is not installed" }, async () => {
    await api.has("earnings", [
      { id: "a", ticker: "AAPL", date: "2026-01-05", eps: "1.990", eps_est: "" },
      { id: "b", ticker: "MSFT", date: "2026-01-06", eps: "2.50", eps_est: "2.4" },
    ]);
    const readme = readFileSync("clients/python/README.md", "utf8");
    const example = /^```python\n(import pandas.*?)^```$/ms.exec(readme)?.[1] ?? assert.fail();
    const result = await python(`${example.replace(/^print.*$/m, "")}
result = [earnings["eps"].tolist(), str(earnings["date"].dtype)[:10], earnings["eps_est"].isna().tolist()]`);
    assert.deepEqual(result, [[2.5, 1.99], "datetime64", [false, true]]);
  });

  test("gets single records, caches, and selects the form of news", async () => {
    const result = await python(
      `
first, second = api.ratings.page(), api.ratings.page()
item = api.news.get(7, display_output="full")
result = [first.is_cached, second.is_cached, first.records == second.records, item["body"], api.ratings.get("none")]`,
      ", cache={}",
    );
    assert.deepEqual(result, [false, true, true, "<p>Text</p>", null]);
  });

  test("raises errors with every parameter error, and rejects unknown names", async () => {
    const result = await python(`
result = []
try: api.earnings.page(date_from="soon", date_sort="up")
except BellwireError as error: result += [error.status, error.code, [each["parameter"] for each in error.errors]]
for wrong in ({"symbols": "F"}, {"tickers": ["F,GM"]}, {"dateFrom": "2026-01-01", "date_from": "2026-01-01"}):
    try: api.earnings.page(**wrong)
    except TypeError as error: result.append(str(error)[:40])
try: Bellwire("http://127.0.0.1:1", "key", retries=1).news.page()
except BellwireError as error: result.append(error.status)`);
    assert.deepEqual(result, [
      ...[400, "request.parameters", ["parameters[date_from]", "parameters[date_sort]"]],
      ...["/api/v2.1/calendar/earnings has no param", "tickers: a member of a list can't contai"],
      ...["date_from was passed twice, in two spell", 0],
    ]);
  });

  test("rejects a URL or a key that no request could be sent with, without naming the key", async () => {
    const result = await python(`
result = []
for url, token in (("localhost:1", "k"), ("127.0.0.1", "k"), ("http://a:b@c", "k"), ("", "k"), ("http://a", "bw_s\\n"), ("http://a", "bw_…"), ("http://a", "")):
    try: Bellwire(url, token)
    except TypeError as error: result.append([str(error)[:5], "bw_" in str(error)])`);
    const url = ["url: ", false];
    const key = ["token", false];
    assert.deepEqual(result, [url, url, url, url, key, key, key]);
  });

  test("rejects identifiers that would be the URL of the list", async () => {
    const result = await python(`
result = []
for id in [None, "", ".", ".."]:
    try: result.append(api.ratings.get(id))
    except TypeError as error: result.append("needs the parameter id" in str(error))`);
    assert.deepEqual(result, [true, true, true, true]);
  });

  test("never sends its key to where a redirect points", async () => {
    const received: (string | undefined)[] = [];
    const other = createServer((request, response) => {
      received.push(request.headers.authorization);
      response.end("[]");
    });
    const redirecting = createServer((_, response) => {
      response.writeHead(302, { location: `http://localhost:${portOf(other)}/` }).end();
    });
    for (const server of [other, redirecting]) await once(server.listen(0, "localhost"), "listening");
    try {
      const result = await python(`
try: Bellwire("http://localhost:${portOf(redirecting)}", "secret").news.page()
except BellwireError as error: result = error.status`);
      assert.deepEqual([result, received], [302, []]);
    } finally {
      for (const server of [other, redirecting]) server.close();
    }
  });

  test("reads errors that a proxy has compressed, and changes of a server that says more about them", async () => {
    const problem = gzipSync(JSON.stringify({ code: "request.parameters", detail: "no such day" }));
    const change = { action: "removed", id: "a", resource: "ratings", at: 1, cause: "correction" };
    const proxy = createServer(({ url = "" }, response) => {
      if (url.includes("/stream")) {
        response.writeHead(200, { "content-type": "text/event-stream" });
        response.write(`id: x.1\ndata: ${JSON.stringify(change)}\n\n`);
      } else if (url.includes("/earnings")) {
        response.writeHead(200, { "content-encoding": "gzip" }).end(Buffer.concat([problem.subarray(0, 12), problem]));
      } else {
        response.writeHead(400, { "content-type": "application/problem+json", "content-encoding": "gzip" });
        response.end(problem);
      }
    });
    await once(proxy.listen(0, "127.0.0.1"), "listening");
    try {
      const result = await python(`
api = Bellwire("http://127.0.0.1:${portOf(proxy)}", "key")
changes = api.ratings.follow()
change = next(changes)
changes.close()
try: api.ratings.page()
except BellwireError as error: result = [error.code, str(error).split(": ")[1], change.action, change.id, change.position]
try: Bellwire("http://127.0.0.1:${portOf(proxy)}", "key", retries=0).earnings.page()
except BellwireError as error: result += [error.status, type(error.__cause__).__name__]`);
      assert.deepEqual(result, ["request.parameters", "400 no such day", "removed", "a", "x.1", 0, "error"]);
    } finally {
      proxy.closeAllConnections();
      proxy.close();
    }
  });

  test("follows changes from a position", async () => {
    const { headers } = await api.fetch("/api/v2.1/calendar/ratings");
    await api.has("ratings", ratings(1000, 3));
    const result = await python(`
changes = api.ratings.follow(tickers="AAPL", since="${headers["x-stream-position"]}")
found = [next(changes), next(changes)]
changes.close()
result = [[each.action, int(each.id), each.record["ticker"], bool(each.position)] for each in found]`);
    assert.deepEqual(result, [
      ["created", 1000, "AAPL", true],
      ["created", 1002, "AAPL", true],
    ]);
  });

  test("resumes a stream that was cut inside an event, and ignores members that it doesn't know", async () => {
    const event = (at: number) => {
      const change = {
        action: "created",
        id: String(at),
        resource: "ratings",
        at,
        later: true,
        record: { id: String(at) },
      };
      return `event: created\nid: p${at}\ndata: ${JSON.stringify(change)}\n\n`;
    };
    const positions: unknown[] = [];
    const server = createServer((request, response) => {
      positions.push(request.headers["last-event-id"]);
      response.writeHead(200, { "content-type": "text/event-stream" });
      if (positions.length > 1) response.end(event(2));
      else response.write(`retry: 1\n${event(1)}${event(2).slice(0, -20)}`, () => response.destroy());
    });
    await once(server.listen(0, "127.0.0.1"), "listening");
    try {
      const result = await python(`
changes = Bellwire("http://127.0.0.1:${portOf(server)}", "bw_x").ratings.follow()
found = [next(changes), next(changes)]
changes.close()
result = [[each.id, each.position] for each in found]`);
      assert.deepEqual(result, [
        ["1", "p1"],
        ["2", "p2"],
      ]);
      assert.deepEqual(positions, [undefined, "p1"]);
    } finally {
      server.close();
    }
  });
});
