// Limits over HTTP: what is let through, what is rejected, and the rate limit headers of every response.
import assert from "node:assert/strict";
import { generateKey } from "../../../src/keys/key.ts";
import type { Api, ApiResponse } from "../../support/clients/api.ts";
import { onEveryStore } from "../../support/stores/every-store.ts";

const standing = ({ headers }: ApiResponse) => [headers["x-ratelimit-limit"], headers["x-ratelimit-remaining"]];

const statuses = async (request: () => Promise<ApiResponse>, count: number): Promise<number[]> => {
  const found: number[] = [];
  for (let index = 0; index < count; index++) found.push((await request()).status);
  return found;
};

onEveryStore("a rate limit", (test) => {
  test("lets a burst through, then returns 429 with Retry-After", async ({ key, request }) => {
    const url = `/api/v2/news?token=${await key({ rate: 0.001, burst: 3 })}`;
    const responses = [await request(url), await request(url), await request(url), await request(url)];
    assert.deepEqual(
      responses.map(({ status }) => status),
      [200, 200, 200, 429],
    );
    assert.deepEqual(responses.map(standing), [
      ["3", "2"],
      ["3", "1"],
      ["3", "0"],
      ["3", "0"],
    ]);
    const [, , , rejected] = responses as [ApiResponse, ApiResponse, ApiResponse, ApiResponse];
    assert.equal(rejected.json.code, "limit.rate");
    assert.match(
      rejected.json.detail,
      /^This key is limited to 3 requests per 3000 seconds\. Try again in \d+ seconds\.$/,
    );
    // The database may have been synced meanwhile, and has its own clock.
    const wait = Number(rejected.headers["retry-after"]);
    assert.ok(wait > 900 && wait <= 1000, `${wait} seconds`);
    assert.equal(rejected.headers["ratelimit-policy"], '"rate";q=3;w=3000');
    assert.match(String(rejected.headers.ratelimit), /^"rate";r=0;t=(29\d\d|3000)$/);
  });

  test("counts cached responses and 304s, and reports the same values on them", async ({ key, request }) => {
    const url = `/api/v2.1/calendar/ratings?token=${await key({ rate: 0.001, burst: 6 })}`;
    const { headers } = await request(url);
    const found = [
      await request(url),
      await request(url),
      await request(url, { headers: { "if-none-match": String(headers.etag) } }),
      await request(url, { headers: { "if-none-match": String(headers.etag) } }),
      await request(url),
      await request(url),
    ];
    assert.deepEqual(
      found.map((each) => [each.status, each.headers["x-ratelimit-remaining"]]),
      [
        [200, "4"],
        [200, "3"],
        [304, "2"],
        [304, "1"],
        [200, "0"],
        [429, "0"],
      ],
    );
  });

  test("counts requests rejected for other reasons, with the remaining limit; 429 takes precedence", async ({
    key,
    request,
  }) => {
    const token = await key({ rate: 0.001, burst: 2 });
    const wrong = await request(`/api/v2/news?page=x&token=${token}`);
    assert.deepEqual([wrong.status, ...standing(wrong)], [400, "2", "1"]);
    const unacceptable = await request(`/api/v2/news?token=${token}`, { headers: { accept: "image/png" } });
    assert.deepEqual([unacceptable.status, ...standing(unacceptable)], [406, "2", "0"]);
    const limited = await request(`/api/v2/news?page=x&token=${token}`, { headers: { accept: "image/png" } });
    assert.equal(limited.status, 429);
  });

  test("applies to HEAD, writes, the change feed, and admin endpoints too", async ({ key, request }) => {
    const scopes = ["read", "write", "replicate", "admin"];
    const headers = { authorization: `Bearer ${await key({ rate: 0.001, burst: 4, scopes })}` };
    const found = [
      await request("/api/v2/news", { method: "HEAD", headers }),
      await request("/changes", { headers }),
      await request("/admin/v1/records/news/1", { method: "DELETE", headers }),
      await request("/admin/v1/keys", { headers }),
      await request("/admin/v1/keys", { headers }),
      await request("/changes", { headers }),
      await request("/admin/v1/records/news/1", { method: "DELETE", headers }),
      await request("/api/v2/news", { method: "HEAD", headers }),
    ];
    assert.deepEqual(
      found.map((each) => [each.status, each.headers["x-ratelimit-remaining"]]),
      [...[3, 2, 1, 0].map((left) => [200, String(left)]), ...Array.from({ length: 4 }, () => [429, "0"])],
    );
  });

  test("is separate for each key, and absent for a key without limits", async ({ key, request, fetch: response }) => {
    const [one, two] = [await key({ rate: 0.001, burst: 1 }), await key({ rate: 0.001, burst: 1 })];
    const found = [];
    for (const token of [one, one, two, two]) found.push((await request(`/api/v2/news?token=${token}`)).status);
    assert.deepEqual(found, [200, 429, 200, 429]);
    const free = await response("/api/v2/news");
    assert.deepEqual(
      Object.keys(free.headers).filter((name) => /ratelimit/.test(name)),
      [],
    );
  });

  test("without a burst, lets one second's worth of requests through at once, and at least one", async ({
    key,
    request,
  }) => {
    const five = await key({ rate: 5 });
    assert.deepEqual(standing(await request(`/api/v2/news?token=${five}`)), ["5", "4"]);
    const few = await key({ rate: 0.5 });
    const { headers } = await request(`/api/v2/news?token=${few}`);
    assert.equal(headers["ratelimit-policy"], '"rate";q=1;w=2');
  });

  test("lets concurrent requests through up to the burst, whichever comes first", async ({ key, request }) => {
    const url = `/api/v2/news?token=${await key({ rate: 0.001, burst: 20 })}`;
    const all = await Promise.all(Array.from({ length: 50 }, () => request(url)));
    assert.equal(all.filter(({ status }) => status === 200).length, 20);
    assert.equal(all.filter(({ status }) => status === 429).length, 30);
  });
});

const noon = Date.parse("2026-01-15T12:00:00-05:00") / 1000;

onEveryStore("a quota", (test) => {
  test("is used up, and resets with the day in the service's time zone", async ({ key, request, clock }) => {
    clock.now = noon;
    const url = `/api/v2/news?token=${await key({ quota: 2 })}`;
    assert.deepEqual(await statuses(() => request(url), 3), [200, 200, 429]);
    const rejected = await request(url);
    assert.equal(rejected.json.code, "limit.quota");
    assert.equal(rejected.json.detail, "This key has used its quota of 2 requests. The quota resets in 43200 seconds.");
    assert.equal(rejected.headers["retry-after"], "43200");
    assert.equal(rejected.headers["ratelimit-policy"], '"quota";q=2;w=86400');
    assert.equal(rejected.headers.ratelimit, '"quota";r=0;t=43200');
    assert.equal(rejected.headers["x-ratelimit-reset"], String(noon + 43_200));
    clock.now = noon + 43_199;
    assert.equal((await request(url)).status, 429);
    clock.now = noon + 43_200;
    assert.deepEqual(await statuses(() => request(url), 3), [200, 200, 429]);
  });

  test("per month resets with the month", async ({ key, request, clock }) => {
    clock.now = noon;
    const url = `/api/v2/news?token=${await key({ quota: 1, quotaPer: "month" })}`;
    assert.deepEqual(await statuses(() => request(url), 2), [200, 429]);
    clock.now = Date.parse("2026-01-31T23:59:59-05:00") / 1000;
    assert.equal((await request(url)).status, 429);
    clock.now = Date.parse("2026-02-01T00:00:00-05:00") / 1000;
    const { status, headers } = await request(url);
    assert.deepEqual([status, headers["ratelimit-policy"]], [200, `"quota";q=1;w=${28 * 86_400}`]);
  });

  test("is not consumed by requests that the rate limit rejects, and vice versa", async ({ key, request }) => {
    const url = `/api/v2/news?token=${await key({ rate: 0.001, burst: 2, quota: 100 })}`;
    assert.deepEqual(await statuses(() => request(url), 4), [200, 200, 429, 429]);
    const { headers } = await request(url);
    assert.match(String(headers.ratelimit), /^"rate";r=0;t=\d+, "quota";r=98;t=\d+$/);
    const few = `/api/v2/news?token=${await key({ rate: 0.001, burst: 9, quota: 2 })}`;
    assert.deepEqual(await statuses(() => request(few), 4), [200, 200, 429, 429]);
    const spent = await request(few);
    assert.match(String(spent.headers.ratelimit), /^"rate";r=7;t=\d+, "quota";r=0;t=\d+$/);
    assert.deepEqual(standing(spent), ["2", "0"]);
  });

  test("lets a key continue when raised, and stops it when lowered, within the same day", async ({
    key,
    request,
    store,
    clock,
  }) => {
    const url = `/api/v2/news?token=${await key({ name: "grows", quota: 2 })}`;
    assert.deepEqual(await statuses(() => request(url), 3), [200, 200, 429]);
    await store.updateKey("grows", { quota: 3 }, clock.now);
    assert.deepEqual(await statuses(() => request(url), 2), [200, 429]);
    await store.updateKey("grows", { quota: 0 }, clock.now);
    assert.deepEqual(await statuses(() => request(url), 2), [200, 200]);
  });

  test("is exposed to pages of other origins", async ({ key, request }) => {
    const { headers } = await request(`/api/v2/news?token=${await key({ quota: 5 })}`, {
      headers: { origin: "https://example.com" },
    });
    const exposed = String(headers["access-control-expose-headers"]);
    for (const name of Object.keys(headers).filter((each) => /ratelimit/.test(each)))
      assert.match(exposed, new RegExp(`\\b${name}\\b`, "i"));
  });
});

onEveryStore("the brute-force guard", (test) => {
  const wrong = ({ request }: Api, count: number, token: () => string = generateKey) =>
    statuses(() => request(`/api/v2/news?token=${token()}`), count);

  test(
    "returns 429 after several invalid tokens from one address, but not for a valid key from there",
    async (api) => {
      assert.deepEqual(await wrong(api, 5), [401, 401, 401, 429, 429]);
      const rejected = await api.request("/api/v2/news?token=nobody");
      assert.deepEqual([rejected.status, rejected.json.code], [429, "limit.tokens"]);
      assert.equal(rejected.headers["retry-after"], "20");
      assert.equal((await api.request(`/api/v2/news?token=${await api.key()}`)).status, 200);
      assert.equal((await api.fetch("/api/v2/news")).status, 200);
      assert.equal((await api.request("/api/v2/news")).status, 401);
    },
    { wrongTokens: 3 },
  );

  test(
    "counts malformed, revoked, and expired keys, but not requests without a token",
    async (api) => {
      const revoked = await api.key({ name: "gone" });
      await api.store.revokeKey("gone", api.clock.now - 1);
      const expired = await api.key({ expires: "2026-01-14" });
      for (let index = 0; index < 9; index++) assert.equal((await api.request("/api/v2/news")).status, 401);
      assert.deepEqual(await wrong(api, 1, () => "nobody"), [401]);
      assert.deepEqual(await wrong(api, 1, () => revoked), [401]);
      assert.deepEqual(await wrong(api, 1, () => expired), [401]);
      assert.deepEqual(await wrong(api, 1, () => expired), [429]);
    },
    { wrongTokens: 3 },
  );

  test(
    "accepts a key immediately if it is created while its address is blocked",
    async (api) => {
      assert.deepEqual(await wrong(api, 3), [401, 429, 429]);
      for (let index = 0; index < 3; index++)
        assert.equal((await api.request(`/api/v2/news?token=${await api.key()}`)).status, 200);
    },
    { wrongTokens: 1 },
  );

  test(
    "doesn't query the database for guesses from a blocked address",
    async (api) => {
      const looks = async () =>
        /^bellwire_store_seconds_count\{operation="findKey"\} (\d+)$/m.exec((await api.request("/metrics")).text)?.[1];
      assert.deepEqual(await wrong(api, 4), [401, 401, 401, 429]);
      const before = await looks();
      assert.equal(before, "3");
      assert.deepEqual(await wrong(api, 3), [429, 429, 429]);
      assert.equal(await looks(), before);
    },
    { wrongTokens: 3, metricsOpen: true },
  );
});
