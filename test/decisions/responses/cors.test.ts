// CORS: open by default, listed origins with credentials, none if the list is empty.
import assert from "node:assert/strict";
import { onEveryStore, type ReadApi, readingEveryStore } from "../../support/stores/every-store.ts";

const origin = "https://app.example";

const preflight = (api: ReadApi, from: string) =>
  api.request("/api/v2/news", {
    method: "OPTIONS",
    headers: {
      origin: from,
      "access-control-request-method": "GET",
      "access-control-request-headers": "authorization",
    },
  });

readingEveryStore("every origin, the default", (test) => {
  test("may read responses and problems, without credentials", async (api) => {
    for (const url of ["/api/v2/news", "/api/v2/news?page=x", "/nowhere"]) {
      const { headers } = await api.fetch(url, { origin });
      assert.equal(headers["access-control-allow-origin"], "*", url);
      assert.equal(headers["access-control-allow-credentials"], undefined);
    }
    assert.equal(
      (await api.request("/api/v2/news", { headers: { origin } })).headers["access-control-allow-origin"],
      "*",
    );
  });

  test("may read the headers that clients need", async (api) => {
    const exposed = (await api.fetch("/api/v2/news", { origin })).headers["access-control-expose-headers"] ?? "";
    for (const name of ["Age", "ETag", "X-Request-Id", "X-Ignored-Parameters", "Retry-After"]) {
      assert.ok(exposed.split(", ").includes(name), name);
    }
  });

  test("gets its preflight served without a token", async (api) => {
    const { status, headers, text } = await preflight(api, origin);
    assert.deepEqual([status, text, headers["access-control-allow-origin"]], [204, "", "*"]);
    assert.match(headers["access-control-allow-methods"] ?? "", /\bGET\b/);
    for (const name of ["Authorization", "If-None-Match", "X-Request-Id"]) {
      assert.match(headers["access-control-allow-headers"] ?? "", new RegExp(name, "i"));
    }
  });

  test("gets 405 for a plain OPTIONS request, which isn't a preflight", async (api) => {
    assert.equal((await api.request("/api/v2/news", { method: "OPTIONS" })).status, 405);
    assert.equal((await api.request("/api/v2/news", { method: "OPTIONS", headers: { origin } })).status, 405);
  });
});

const listed = { corsOrigins: [origin, "http://localhost:3000"] };

onEveryStore("listed origins", (test) => {
  test(
    "may read responses with credentials, each by its own name",
    async (api) => {
      for (const from of listed.corsOrigins) {
        for (const url of ["/api/v2/news", "/api/v2/news?page=x"]) {
          const { headers } = await api.fetch(url, { origin: from });
          assert.equal(headers["access-control-allow-origin"], from);
          assert.equal(headers["access-control-allow-credentials"], "true");
        }
      }
    },
    listed,
  );

  test(
    "add Origin to the Vary header of other endpoints too",
    async (api) => {
      const key = await api.key({ scopes: ["replicate"] });
      const headers = { authorization: `Bearer ${key}` };
      const { headers: received } = await api.request("/changes", { headers });
      assert.equal(received.vary, "Accept, Accept-Encoding, Origin");
      assert.match((await api.request("/docs/problems")).headers.vary ?? "", /^Origin, Accept-Encoding$/);
    },
    listed,
  );

  test(
    "add Origin to the other names in Vary, whatever the origin of the request",
    async (api) => {
      const names = async (headers: Record<string, string>) =>
        ((await api.fetch("/api/v2/news", headers)).headers.vary ?? "").split(", ").sort();
      assert.deepEqual(await names({ origin }), ["Accept", "Accept-Encoding", "Origin"]);
      assert.deepEqual(await names({}), ["Accept", "Accept-Encoding", "Origin"]);
      const tag = String((await api.fetch("/api/v2/news")).headers.etag);
      assert.deepEqual(await names({ origin, "if-none-match": tag }), ["Accept", "Accept-Encoding", "Origin"]);
    },
    listed,
  );

  test(
    "get their preflights served; other origins get no permission, and their browsers hide the responses",
    async (api) => {
      const allowed = await preflight(api, origin);
      assert.deepEqual([allowed.status, allowed.headers["access-control-allow-origin"]], [204, origin]);
      for (const from of ["https://evil.example", "https://app.example.evil", "http://app.example", "null"]) {
        assert.equal((await preflight(api, from)).headers["access-control-allow-origin"], undefined, from);
        const found = await api.fetch("/api/v2/news", { origin: from });
        assert.deepEqual([found.status, found.headers["access-control-allow-origin"]], [200, undefined], from);
      }
    },
    listed,
  );
});

onEveryStore("an empty list of origins", (test) => {
  test(
    "allows no origin, and still serves all other clients",
    async (api) => {
      const found = await api.fetch("/api/v2/news", { origin });
      const names = Object.keys(found.headers).filter((name) => name.startsWith("access-control"));
      assert.deepEqual([found.status, names, found.headers.vary], [200, [], "Accept, Accept-Encoding"]);
      assert.equal((await preflight(api, origin)).status, 405);
    },
    { corsOrigins: [] },
  );
});
