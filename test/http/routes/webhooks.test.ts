// Webhooks over HTTP: created, shown, changed, rotated, replayed, tested, and removed with an admin key, and no other.
import assert from "node:assert/strict";
import { isPublic } from "../../../src/outbound/private-address.ts";
import { parseTarget } from "../../../src/webhooks/target.ts";
import { onEveryStore } from "../../support/stores/every-store.ts";
import { administering } from "../../webhooks/support/delivering.ts";
import { startReceiver } from "../../webhooks/support/receiver.ts";

const target = { url: "https://192.0.2.1/hooks", resource: "ratings" };
const secretForm = /^whsec_[0-9A-Za-z+/]{43}=$/;

onEveryStore("webhooks over HTTP", (test) => {
  test("a webhook is created with a secret that is shown once, and listed", async (api) => {
    const request = await administering(api);
    await api.key({ name: "acme" });
    await api.has("ratings", [{ id: "a" }]);
    const { databaseId, position } = await api.store.state();
    const created = await request("POST", "", { ...target, filters: "?parameters[tickers]=F,GM", key: "acme" });
    assert.equal(created.status, 201, created.text);
    assert.equal(created.headers["cache-control"], "no-store");
    const { id, secret, ...rest } = created.json;
    assert.match(id, /^wh_[0-9a-f]{16}$/);
    assert.match(secret, secretForm);
    assert.deepEqual(rest, {
      ...{ state: "active", reason: "", ...target, filters: "parameters[tickers]=F,GM", key: "acme" },
      ...{ created: "2026-01-15T12:00:00Z", changed: "2026-01-15T12:00:00Z", position: `${databaseId}.${position}` },
      ...{ lag_seconds: 0, held: 0, retry_at: "", delivered: 0, last_delivery: null, rotating_until: "" },
    });
    assert.deepEqual((await request("GET", `/${id}`)).json, { id, ...rest });
    const listed = await request("GET");
    assert.deepEqual(listed.json, { webhooks: [{ id, ...rest }] });
    assert.deepEqual((await request("GET", `/${id}/deliveries`)).json, { deliveries: [] });
    assert.ok(!listed.text.includes("whsec_") && !api.log.join("").includes("whsec_"));
  });

  test("all errors of a new webhook are reported at once, those of its filters as by the list", async (api) => {
    const request = await administering(api);
    const filters = "parameters[date_from]=soon&page=2&parameters[importance]=9";
    const refused = await request("POST", "", {
      url: "ftp://example.com",
      resource: "ratings",
      filters: `${filters}&tickers=F`,
      key: "x",
      y: 1,
    });
    assert.equal(refused.status, 400);
    assert.equal(refused.json.code, "request.members");
    const { errors: ofStream } = (await api.fetch(`/api/v2.1/calendar/ratings/stream?${filters}`)).json;
    assert.equal(ofStream.length, 3);
    const errors = refused.json.errors as { parameter: string }[];
    assert.deepEqual(
      errors.map(({ parameter }) => parameter).sort(),
      ["key", "page", "parameters[date_from]", "parameters[importance]", "tickers", "url", "y"].sort(),
    );
    for (const each of ofStream)
      assert.deepEqual(
        errors.find(({ parameter }) => parameter === each.parameter),
        each,
      );
    const misspelled = await request("POST", "", { ...target, filters: "tickers=F&token=bw_secret" });
    assert.deepEqual(misspelled.json.errors, [
      { parameter: "tickers", given: "F", expected: "a filter of ratings; unknown parameters are not allowed" },
      { parameter: "token", given: "…", expected: "a filter of ratings; unknown parameters are not allowed" },
    ]);
    assert.equal((await request("POST", "", "[]")).status, 400);
    assert.deepEqual((await request("GET")).json, { webhooks: [] });
  });

  test("a target with a private address is rejected, by number and by name, and so are credentials", async (api) => {
    const request = await administering(api);
    for (const url of [
      ...["http://10.0.0.1/", "http://[::1]/", "http://127.0.0.2:8080/", "http://169.254.169.254/latest/meta-data"],
      ...["http://[::ffff:10.0.0.1]/", "http://2130706434/", "https://user:pass@192.0.2.1/"],
      ...["https://192.0.2.1/#fragment", "/hooks", "", 5, null],
    ]) {
      const { status, json } = await request("POST", "", { ...target, url });
      assert.equal(status, 400, `${url}`);
      assert.equal(json.errors[0].parameter, "url");
    }
    // Tests allow this address.
    assert.equal((await request("POST", "", { ...target, url: "http://127.0.0.1:1/" })).status, 201);
    assert.equal(await parseTarget("http://localhost:1/", isPublic), undefined);
  });

  test("a key must be valid and have the resource, the scope, and the licenses", async (api) => {
    const request = await administering(api);
    await api.key({ name: "news-only", resources: ["news"] });
    await api.key({ name: "writer", scopes: ["write"] });
    await api.key({ name: "plain" });
    await api.key({ name: "expired", expires: "2026-01-14" });
    const refusal = async (members: object) => (await request("POST", "", { ...target, ...members })).json.errors;
    for (const [key, expected] of [
      ["news-only", "a key for ratings"],
      ["writer", 'a key with the scope "read"'],
      ["expired", "the name of a valid key"],
    ])
      assert.deepEqual(await refusal({ key }), [{ parameter: "key", given: key, expected }]);
    assert.deepEqual(await refusal({ key: "plain", resource: "news", filters: "cusips=037833100" }), [
      {
        ...{ parameter: "key", given: "plain" },
        expected: 'a key with the license "cusip", which cusips requires',
      },
    ]);
  });

  test("a webhook is changed, paused, rotated, and removed", async (api) => {
    const request = await administering(api);
    const { id } = (await request("POST", "", target)).json;
    api.clock.now += 60;
    const paused = await request("PATCH", `/${id}`, { state: "paused", url: "https://192.0.2.2/" });
    const { state, url, changed } = paused.json;
    assert.deepEqual(
      { state, url, changed },
      { state: "paused", url: "https://192.0.2.2/", changed: "2026-01-15T12:01:00Z" },
    );
    const refused = await request("PATCH", `/${id}`, { state: "ended", url: "x", resource: "news" });
    assert.deepEqual(
      refused.json.errors.map(({ parameter }: { parameter: string }) => parameter),
      ["resource", "url", "state"],
    );
    const rotated = await request("POST", `/${id}/rotate`, { grace_hours: 2 });
    assert.equal(rotated.status, 201);
    assert.match(rotated.json.secret, secretForm);
    assert.equal(rotated.json.rotating_until, "2026-01-15T14:01:00Z");
    assert.equal((await request("POST", `/${id}/rotate`, { grace_hours: 0 })).json.rotating_until, "");
    assert.equal((await request("POST", `/${id}/rotate`, { grace_hours: -1 })).status, 400);
    assert.equal((await request("DELETE", `/${id}`)).json.id, id);
    for (const [method, path] of [
      ["GET", ""],
      ["PATCH", ""],
      ["DELETE", ""],
      ["GET", "/deliveries"],
      ...["test", "replay", "rotate"].map((action) => ["POST", `/${action}`]),
    ] as const) {
      const { status, json } = await request(
        method,
        `/${id}${path}`,
        method === "GET" ? undefined : path === "/replay" ? { since: "start" } : {},
      );
      assert.deepEqual([status, json.code], [404, "webhook.absent"], `${method} ${path}`);
    }
  });

  test("a webhook starts and is replayed from a position that the log still has, and no other", async (api) => {
    const request = await administering(api);
    for (const id of ["a", "b", "c"]) await api.has("ratings", [{ id }]);
    const { databaseId } = await api.store.state();
    await api.store.pruneChanges({ upTo: 1 }, 10);
    const { id, position } = (await request("POST", "", { ...target, since: "start" })).json;
    assert.equal(position, `${databaseId}.1`);
    const replayed = await request("POST", `/${id}/replay`, { since: `${databaseId}.2` });
    assert.equal(replayed.json.position, `${databaseId}.2`);
    for (const [since, expected] of [
      [`${databaseId}.0`, /Changes after this position have expired/],
      ["elsewhere.2", /belongs to another database/],
      ["soon", /^start, or the position of an event or a list$/],
      [undefined, /^start, or/],
    ] as const) {
      const refused = await request("POST", `/${id}/replay`, { since });
      assert.equal(refused.status, 400, refused.text);
      assert.equal(refused.json.errors[0].parameter, "since");
      assert.match(refused.json.errors[0].expected, expected);
    }
  });

  test("a test sends a signed message, reports the response, and is logged", async (api) => {
    const request = await administering(api);
    const receiver = await startReceiver();
    receiver.respond(() => ({ status: 500, body: "bw_0123456789abcdef \u001b[31mno\n" }));
    const { id } = (await request("POST", "", { ...target, url: receiver.url })).json;
    const tested = await request("POST", `/${id}/test`);
    assert.equal(tested.status, 200, tested.text);
    const { delivered, status, event, response, milliseconds, ...rest } = tested.json;
    assert.deepEqual(
      { delivered, status, event, response },
      { delivered: false, status: 500, event: "webhook.test", response: "bw_…  [31mno" },
    );
    const { deliveries } = (await request("GET", `/${id}/deliveries`)).json;
    assert.deepEqual(deliveries, [{ ...rest, event, status, milliseconds, response }]);
    assert.deepEqual(receiver.received[0]?.body, {
      ...{ type: "webhook.test", timestamp: "2026-01-15T12:00:00Z", data: { webhook: id, resource: "ratings" } },
    });
    await receiver.close();
    const lost = (await request("POST", `/${id}/test`)).json;
    assert.deepEqual([lost.delivered, lost.status], [false, null]);
    assert.match(lost.response, /ECONNREFUSED/);
  });

  test("an admin key in the header is required", async (api) => {
    for (const scopes of [["read"], ["write"], ["replicate"]]) {
      const authorization = `Bearer ${await api.key({ scopes })}`;
      assert.equal((await api.request("/admin/v1/webhooks", { headers: { authorization } })).status, 403);
    }
    assert.equal((await api.request("/admin/v1/webhooks")).status, 401);
  });
});
