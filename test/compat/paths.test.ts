// Paths that clients of other implementations use, with and without the compatibility switch.
import assert from "node:assert/strict";
import { onEveryStore, sharingEveryStore } from "../support/stores/every-store.ts";
import { bothWays, idsOf } from "./both-ways.ts";

const calendars = ["ratings", "dividends", "guidance", "earnings", "economics", "conference-calls"];
const browser = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8";

sharingEveryStore("paths of other implementations", (test) => {
  for (const name of calendars) {
    test(`/calendar/${name} is served in every version, with and without a trailing slash`, async (api) => {
      const { lenient, strict } = await bothWays(api);
      await api.has(name, [{ id: "a", ...(name === "guidance" ? { is_primary: "true" } : {}) }]);
      for (const prefix of ["/api/v1", "/api/v2", "/api/v2.1", "/api/v2.2", ""]) {
        for (const slash of ["", "/"]) {
          const url = `${prefix}/calendar/${name}${slash}`;
          const found = await lenient(url, { accept: "application/json" });
          assert.equal(found.status, 200, `${url}: ${found.text}`);
          assert.deepEqual(idsOf(found), ["a"], url);
          const isOwn = (name === "dividends" ? "/api/v2.2" : "/api/v2.1") === prefix;
          assert.equal((await strict(url, { accept: "application/json" })).status, isOwn ? 200 : 404, url);
        }
      }
    });
  }

  test("/api/v2/news/ is news with and without the switch", async (api) => {
    const { lenient, strict } = await bothWays(api);
    await api.has("news", [{ id: 5 }]);
    for (const send of [lenient, strict]) assert.deepEqual(idsOf(await send("/api/v2/news/?pageSize=1")), [5]);
  });

  test("analysts and firms are served in every version too", async (api) => {
    const { lenient, strict } = await bothWays(api);
    for (const path of ["/api/v2/calendar/ratings/analysts", "/api/v1/calendar/ratings/firms/"]) {
      assert.equal((await lenient(path)).status, 200, path);
      assert.equal((await strict(path)).status, 404, path);
    }
  });

  test("an absolute-form target, as clients behind HTTP_PROXY send it, works at these paths too", async (api) => {
    const { lenient } = await bothWays(api);
    await api.has("ratings", [{ id: "a" }]);
    assert.deepEqual(idsOf(await lenient("http://data.example.com/api/v2/calendar/ratings?pagesize=1")), ["a"]);
  });

  test("a browser gets the page at /calendar/ratings, whatever its key", async (api) => {
    const { lenient } = await bothWays(api);
    const { headers } = await lenient("/calendar/ratings", { accept: browser });
    assert.match(headers["content-type"] ?? "", /^text\/(html|plain)/);
    const program = await lenient("/calendar/ratings", { accept: "*/*" });
    assert.match(program.headers["content-type"] ?? "", /^application\/json/);
  });

  test("without a key of the term, such a path is the same 404 as before, and nothing is counted", async (api) => {
    const limited = await api.key({ rate: 1, burst: 1 });
    const url = "/api/v2/calendar/ratings";
    const plain = await api.request(url);
    for (const token of [limited, limited, limited, "nonsense"]) {
      const found = await api.request(`${url}?token=${token}`);
      assert.deepEqual([found.status, found.json.detail], [404, plain.json.detail]);
      assert.equal(found.headers["x-ratelimit-limit"], undefined);
    }
    assert.equal(
      plain.json.detail,
      "Nothing is served at this path. Analyst ratings is served at /api/v2.1/calendar/ratings.",
    );
  });

  test("a key is accepted in no other place", async (api) => {
    const key = await api.key({ compat: true });
    for (const name of ["apikey", "apiKey", "api_key", "key", "Token", "TOKEN", "parameters[token]", "access_token"])
      assert.equal((await api.request(`/api/v2/news?${name}=${key}`)).status, 401, name);
    assert.equal((await api.request("/api/v2/news", { headers: { "x-api-key": key, apikey: key } })).status, 401);
    assert.equal((await api.request(`/api/v2/calendar/ratings?apikey=${key}`)).status, 404);
    assert.equal((await api.request(`/api/v2/news?token=${key}`)).status, 200);
  });
});

onEveryStore("a server with --compat", (test) => {
  const compat = { compat: true };

  test(
    "serves these paths to every key, and asks for one",
    async (api) => {
      await api.has("earnings", [{ id: "a" }]);
      assert.deepEqual(await api.ids("/api/v1/calendar/earnings/"), ["a"]);
      assert.deepEqual(await api.ids("/calendar/earnings"), ["a"]);
      assert.equal((await api.request("/api/v1/calendar/earnings")).status, 401);
      assert.equal((await api.request("/calendar/earnings", { headers: { accept: "application/json" } })).status, 401);
      assert.match(
        (await api.request("/calendar/earnings", { headers: { accept: browser } })).headers["content-type"] ?? "",
        /^text/,
      );
    },
    compat,
  );

  test(
    "still rejects unknown paths, methods, and versions",
    async (api) => {
      assert.equal((await api.fetch("/api/v3/calendar/earnings")).status, 404);
      assert.equal((await api.fetch("/api/v2/calendar/nonsense")).status, 404);
      assert.equal((await api.request("/api/v2.1/calendar/earnings", { method: "POST" })).status, 405);
    },
    compat,
  );
});
