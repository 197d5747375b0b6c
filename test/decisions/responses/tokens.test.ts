// Tokens: the three places where one is accepted, multiple tokens, and when a key expires.
import assert from "node:assert/strict";
import type { Api } from "../../support/clients/api.ts";
import { onEveryStore } from "../../support/stores/every-store.ts";

const status = async (api: Api, url: string, authorization?: string): Promise<number> =>
  (await api.request(url, { headers: authorization === undefined ? {} : { authorization } })).status;

onEveryStore("where a token is accepted", (test) => {
  test("in the query, first or last, surrounded by blanks", async (api) => {
    assert.equal(await status(api, `/api/v2/news?token=${api.token}`), 200);
    assert.equal(await status(api, `/api/v2/news?token=${api.token}&page=0`), 200);
    assert.equal(await status(api, `/api/v2/news?page=0&token=${api.token}`), 200);
    assert.equal(await status(api, `/api/v2/news?%74oken=+${api.token}%20`), 200);
    assert.equal(await status(api, `/api/v2.2/calendar/dividends?token=${api.token}&parameters[tickers]=F`), 200);
  });

  test("in the Authorization header as token KEY or Bearer KEY, with the scheme in any case", async (api) => {
    for (const scheme of ["token", "Token", "TOKEN", "Bearer", "bearer", "BEARER", "bEaReR"]) {
      assert.equal(await status(api, "/api/v2/news", `${scheme} ${api.token}`), 200, scheme);
      assert.equal(await status(api, "/api/v2/news", `${scheme}   ${api.token}  `), 200, scheme);
    }
  });

  test("nowhere else: other schemes and bare keys are not tokens", async (api) => {
    for (const authorization of [
      `Basic ${api.token}`,
      api.token,
      `Bearer${api.token}`,
      "Bearer",
      "Bearer ",
      `Key ${api.token}`,
    ]) {
      const found = await api.request("/api/v2/news", { headers: { authorization } });
      assert.deepEqual([found.status, found.json.code], [401, "key.missing"], authorization);
    }
    assert.equal(await status(api, `/api/v2/news?Token=${api.token}`), 401);
    assert.equal(await status(api, `/api/v2/news?key=${api.token}`), 401);
    assert.equal((await api.request("/api/v2/news", { headers: { "x-api-key": api.token } })).status, 401);
  });

  test("in the query even if the header has another scheme", async (api) => {
    assert.equal(await status(api, `/api/v2/news?token=${api.token}`, "Basic dXNlcjpwYXNz"), 200);
  });

  test("without being listed as an ignored parameter", async (api) => {
    const found = await api.request(`/api/v2/news?token=${api.token}`);
    assert.equal(found.headers["x-ignored-parameters"], undefined);
  });

  test("only exactly as created, including its case", async (api) => {
    assert.equal(await status(api, `/api/v2/news?token=${api.token.toLowerCase()}`), 401);
    assert.equal(await status(api, `/api/v2/news?token=${api.token}x`), 401);
    assert.equal(await status(api, `/api/v2/news?token=${api.token.slice(0, -1)}`), 401);
  });
});

onEveryStore("multiple tokens", (test) => {
  test("that differ get a 400, valid or not", async (api) => {
    const other = await api.key();
    for (const inQuery of [other, "wrong"]) {
      for (const scheme of ["Bearer", "token"]) {
        const found = await api.request(`/api/v2/news?token=${inQuery}`, {
          headers: { authorization: `${scheme} ${api.token}` },
        });
        assert.deepEqual([found.status, found.json.code], [400, "request.tokens"]);
      }
    }
  });

  test("that are the same, in query and header, are accepted", async (api) => {
    assert.equal(await status(api, `/api/v2/news?token=${api.token}`, `Bearer ${api.token}`), 200);
    assert.equal(await status(api, `/api/v2/news?token=${api.token}`, `token ${api.token}`), 200);
  });

  test("prefer the header to an empty one in the query", async (api) => {
    assert.equal(await status(api, "/api/v2/news?token=", `Bearer ${api.token}`), 200);
    assert.equal(await status(api, "/api/v2/news?token", `Bearer ${api.token}`), 200);
  });

  test("with a repeated name get a 400 that mentions only the token, even with the same value", async (api) => {
    for (const url of [
      `/api/v2/news?token=${api.token}&token=${api.token}`,
      `/api/v2/news?token=${api.token}&page=x&token=`,
      `/api/v2/news?token=${api.token}&%74oken=wrong`,
    ]) {
      const found = await api.request(url);
      assert.deepEqual([found.status, found.json.code], [400, "request.parameters"], url);
      assert.deepEqual(
        found.json.errors.map(({ parameter }: { parameter: string }) => parameter),
        ["token"],
      );
    }
  });
});

const at = (iso: string): number => Date.parse(iso) / 1000;

/** Statuses of a key that expires on a day, at its last valid second and one second later. */
async function edge(api: Api, day: string, end: string): Promise<[number, number]> {
  const token = await api.key({ expires: day });
  api.clock.now = at(end) - 1;
  const before = await status(api, `/api/v2/news?token=${token}`);
  api.clock.now = at(end);
  return [before, await status(api, `/api/v2/news?token=${token}`)];
}

onEveryStore("the expiry day of a key", (test) => {
  test("lasts until its end in the service's time zone", async (api) => {
    assert.deepEqual(await edge(api, "2026-01-31", "2026-02-01T00:00:00-05:00"), [200, 401]);
    assert.deepEqual(await edge(api, "2026-07-04", "2026-07-05T00:00:00-04:00"), [200, 401]);
  });

  test("ends at midnight even if clocks change on it", async (api) => {
    assert.deepEqual(await edge(api, "2026-03-08", "2026-03-09T00:00:00-04:00"), [200, 401]);
    assert.deepEqual(await edge(api, "2026-11-01", "2026-11-02T00:00:00-05:00"), [200, 401]);
  });

  test(
    "depends on the service's time zone, never on the host's",
    async (api) => {
      assert.deepEqual(await edge(api, "2026-01-31", "2026-02-01T00:00:00+09:00"), [200, 401]);
    },
    { rendering: { zone: "Asia/Tokyo" } },
  );

  test("changes with the time zone setting while the server runs", async (api) => {
    const token = await api.key({ expires: "2026-01-31" });
    api.clock.now = at("2026-01-31T20:00:00-05:00");
    assert.equal(await status(api, `/api/v2/news?token=${token}`), 200);
    await api.store.render({ zone: "UTC" });
    assert.equal(await status(api, `/api/v2/news?token=${token}`), 401);
  });

  test("is optional: a key without one never expires", async (api) => {
    api.clock.now = at("2105-12-31T00:00:00Z");
    assert.equal(await status(api, `/api/v2/news?token=${api.token}`), 200);
  });
});

onEveryStore("revoked and new keys", (test) => {
  test("a revoked key is rejected from the next request on, and only that key", async (api) => {
    const token = await api.key({ name: "partner" });
    assert.equal(await status(api, `/api/v2/news?token=${token}`), 200);
    assert.equal(await api.store.revokeKey("partner", api.clock.now), true);
    assert.equal(await status(api, `/api/v2/news?token=${token}`), 401);
    assert.equal(await status(api, `/api/v2/news?token=${api.token}`), 200);
  });

  test("a key created under the name of a revoked one is valid, and the old one stays rejected", async (api) => {
    const old = await api.key({ name: "partner" });
    await api.store.revokeKey("partner", api.clock.now);
    const fresh = await api.key({ name: "partner" });
    assert.deepEqual(
      [await status(api, `/api/v2/news?token=${old}`), await status(api, `/api/v2/news?token=${fresh}`)],
      [401, 200],
    );
  });

  test("an unknown key is valid as soon as it is created", async (api) => {
    const fresh = await api.key();
    assert.equal(await status(api, `/api/v2/news?token=${fresh}`), 200);
  });
});
