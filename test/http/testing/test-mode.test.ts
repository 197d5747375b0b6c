// Fault injection, for testing clients: only in test mode, and only as requested.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import fc from "fast-check";
import { parseFault } from "../../../src/core/fault-injection.ts";
import { problems } from "../../../src/core/problem.ts";
import { testClock } from "../../../src/http/testing/clock.ts";
import { runs } from "../../support/budget.ts";
import { type Listening, listening } from "../../support/clients/listening.ts";
import { seed } from "../../support/records/records.ts";
import { waitUntil } from "../../support/wait-until.ts";

const url = "/api/v2/news";

/** Runs a service in test mode. */
async function inTestMode(run: (service: Listening, bearer: { authorization: string }) => Promise<void>) {
  const clock = testClock();
  const options = { testClock: clock, now: clock.now };
  await listening(
    async (service) => run(service, { authorization: `Bearer ${await service.key()}` }),
    undefined,
    options,
  );
}

const asAdmin = async (service: Listening) => ({ authorization: `Bearer ${await service.key({ scopes: ["admin"] })}` });

const post = (service: Listening, path: string, headers: Record<string, string>, body: object) => {
  const text = JSON.stringify(body);
  const lines = Object.entries({ ...headers, host: "x", connection: "close", "content-length": String(text.length) });
  return service.send(
    `POST ${path} HTTP/1.1\r\n${lines.map(([name, value]) => `${name}: ${value}\r\n`).join("")}\r\n${text}`,
  );
};

describe("fault injection", () => {
  test("returns a status as the service would, with its problem, and others as a proxy would", async () => {
    await inTestMode(async ({ request, log }, bearer) => {
      for (const status of [400, 401, 403, 404, 429, 500, 503]) {
        const response = await request(url, { ...bearer, "x-bellwire-fault": `status=${status}` });
        assert.equal(response.status, status);
        assert.equal(response.json.status, status);
        assert.equal(problems[response.json.code as keyof typeof problems].status, status);
        assert.equal(response.headers["x-bellwire-fault"], `status=${status}`);
      }
      const fault = { ...bearer, "x-bellwire-fault": "status=502", "x-request-id": "mine-1" };
      const { status, text, headers } = await request(url, fault);
      assert.equal(headers["x-request-id"], "mine-1");
      assert.deepEqual([status, text, headers["content-type"]], [502, "Bad Gateway\n", "text/plain"]);
      const logged = log.map((line) => JSON.parse(line)).filter(({ msg }) => msg === "request");
      assert.deepEqual(logged.map((line) => line.status).sort(), [400, 401, 403, 404, 429, 500, 502, 503]);
    });
  });

  test("sends the requested Retry-After with 429 and 503", async () => {
    await inTestMode(async ({ request }, bearer) => {
      const outcomeOf = async (fault: string) => {
        const { status, headers } = await request(url, { ...bearer, "x-bellwire-fault": fault });
        return [status, headers["retry-after"]];
      };
      assert.deepEqual(await outcomeOf("status=429"), [429, "1"]);
      assert.deepEqual(await outcomeOf("retry-after=17"), [429, "17"]);
      assert.deepEqual(await outcomeOf("status=503, retry-after=120"), [503, "120"]);
      assert.deepEqual(await outcomeOf("status=502; retry-after=3"), [502, "3"]);
    });
  });

  test("cuts the connection before the response, or in the middle of its body", async () => {
    await inTestMode(async ({ request }, bearer) => {
      assert.equal((await request(url, { ...bearer, "x-bellwire-fault": "cut" })).status, Number.NaN);
      const whole = await request("/openapi.json", bearer);
      const { status, headers, text } = await request("/openapi.json", { ...bearer, "x-bellwire-fault": "truncate" });
      assert.equal(status, 200);
      assert.equal(headers["content-length"], whole.headers["content-length"]);
      assert.ok(whole.text.startsWith(text) && text.length < whole.text.length && text.length > 0);
    });
  });

  test("truncates a list whether it is cached or not", async () => {
    await inTestMode(async ({ request }, bearer) => {
      for (let time = 0; time < 4; time++) {
        const { status, text } = await request(url, { ...bearer, "x-bellwire-fault": "truncate" });
        assert.deepEqual([status, text], [200, "["]);
        assert.equal((await request(url, bearer)).text, "[]");
      }
    });
  });

  test("returns the normal response after a delay", async () => {
    await inTestMode(async ({ request }, bearer) => {
      const began = performance.now();
      const { status, text } = await request(url, { ...bearer, "x-bellwire-fault": "delay=300ms" });
      assert.deepEqual([status, text], [200, "[]"]);
      assert.ok(performance.now() - began >= 299);
    });
  });

  test("reports an invalid fault", async () => {
    await inTestMode(async ({ request }, bearer) => {
      for (const fault of [
        "status=200",
        "status=600",
        "explode",
        "delay=2",
        "delay=999s",
        "cut=1",
        "cut, truncate",
        "status=503=1",
        "delay=1s=",
        "status=503, status=503",
        "delay=1ms, cut, delay=2ms",
        "",
      ]) {
        const { status, json } = await request(url, { ...bearer, "x-bellwire-fault": fault });
        // An empty header requests nothing.
        if (fault === "") assert.equal(status, 200);
        else
          assert.deepEqual([status, json.errors[0].parameter, json.errors[0].given], [400, "X-Bellwire-Fault", fault]);
      }
    });
  });

  test("parses any text as a fault or reports an error", () => {
    const word = fc.constantFrom(
      "status",
      "delay",
      "cut",
      "truncate",
      "retry-after",
      "=",
      ",",
      ";",
      " ",
      "5",
      "03",
      "s",
    );
    const texts = fc.oneof(
      fc.string(),
      fc.array(word).map((words) => words.join("")),
    );
    const property = fc.property(texts, (text) => {
      const parsed = parseFault(text);
      if ("error" in parsed) return;
      const { delayMs, then } = parsed.fault;
      assert.ok(delayMs >= 0 && delayMs <= 300_000);
      if (typeof then === "object") assert.ok(then.status >= 400 && then.status <= 599);
    });
    fc.assert(property, { seed, numRuns: runs(200, 2000) });
  });

  test("applies a key's configured faults to lists only, until they are removed", async () => {
    await inTestMode(async (service, bearer) => {
      const admin = await asAdmin(service);
      const set = (fault: string) => post(service, "/admin/v1/test-faults", admin, { key: "test-1", fault });
      const { status, json } = await set("status=503, retry-after=9");
      assert.deepEqual([status, json], [200, { key: "test-1", fault: "status=503, retry-after=9" }]);
      const token = bearer.authorization.slice("Bearer ".length);
      for (const faulty of [await service.request(url, bearer), await service.request(`${url}?token=${token}`)])
        assert.deepEqual([faulty.status, faulty.headers["retry-after"]], [503, "9"]);
      assert.equal((await service.request("/livez", bearer)).status, 200);
      assert.equal((await service.request(url, { authorization: `Bearer ${await service.key()}` })).status, 200);
      await set("");
      assert.equal((await service.request(url, bearer)).status, 200);
    });
  });

  test("reports invalid settings, and requires the scope admin", async () => {
    await inTestMode(async (service, bearer) => {
      const admin = await asAdmin(service);
      const { status, json } = await post(service, "/admin/v1/test-faults", admin, { key: "who", fault: "x", more: 1 });
      assert.deepEqual([status, json.code], [400, "request.members"]);
      assert.deepEqual(json.errors.map(({ parameter }: { parameter: string }) => parameter).sort(), [
        "fault",
        "key",
        "more",
      ]);
      assert.equal((await post(service, "/admin/v1/test-faults", bearer, {})).status, 403);
      assert.equal((await post(service, "/admin/v1/test-clock", bearer, {})).status, 403);
    });
  });
});

describe("the test clock", () => {
  test("expires a key when the set time is past its day, and makes it valid again when set back", async () => {
    await inTestMode(async (service) => {
      const admin = await asAdmin(service);
      const bearer = { authorization: `Bearer ${await service.key({ expires: "2026-06-30" })}` };
      const at = async (now: string | null, running = false) => {
        const { status, json } = await post(service, "/admin/v1/test-clock", admin, { now, running });
        assert.equal(status, 200);
        return json;
      };
      assert.deepEqual(await at("2026-06-30T12:00:00Z"), { now: "2026-06-30T12:00:00Z", set: true, running: false });
      for (let time = 0; time < 3; time++) assert.equal((await service.request(url, bearer)).status, 200);
      await at("2026-07-01T12:00:00Z");
      assert.equal((await service.request(url, bearer)).status, 401);
      await at("2026-06-01T12:00:00+02:00", true);
      assert.equal((await service.request(url, bearer)).status, 200);
      assert.equal((await at(null)).set, false);
    });
  });

  test("is shared by every process on the database, including later ones", async () => {
    await inTestMode(async (service) => {
      const other = testClock();
      other.follow(service.store);
      const body = { now: "2026-07-01T12:00:00Z", running: false };
      assert.equal((await post(service, "/admin/v1/test-clock", await asAdmin(service), body)).status, 200);
      const later = testClock();
      later.follow(service.store);
      for (const clock of [other, later]) {
        await waitUntil(() => clock.setting !== undefined);
        assert.equal(clock.now(), Date.parse(body.now) / 1000);
        clock.stop();
      }
    });
  });

  test("is not set back by a poll that has read an older time", async () => {
    await inTestMode(async ({ store }) => {
      const clock = testClock();
      await clock.set(store, { at: 0, shown: 1000, running: false });
      const hasRead = Promise.withResolvers<void>();
      const delay = Promise.withResolvers<void>();
      const getMetadata: typeof store.getMetadata = async (name) => {
        const text = await store.getMetadata(name);
        hasRead.resolve();
        await delay.promise;
        return text;
      };
      clock.follow({ ...store, getMetadata });
      await hasRead.promise;
      await clock.set(store, { at: 0, shown: 2000, running: false });
      delay.resolve();
      await new Promise((resolve) => setImmediate(resolve));
      assert.equal(clock.now(), 2000);
      clock.stop();
    });
  });

  test("reports errors", async () => {
    await inTestMode(async (service) => {
      const admin = await asAdmin(service);
      for (const body of [
        {},
        { now: 5 },
        { now: "yesterday" },
        { now: "2026-01-01" },
        { now: "2026-02-31T00:00:00Z" },
        { now: "2026-02-01T24:00:00Z" },
        { now: "1969-12-31T23:59:59Z" },
        { now: "1970-01-01T00:00:00+01:00" },
        { now: "9999-01-01T00:00:00Z" },
        { now: null, running: "no" },
      ]) {
        const { status, json } = await post(service, "/admin/v1/test-clock", admin, body);
        assert.deepEqual([status, json.code], [400, "request.members"], JSON.stringify(body));
        assert.equal(json.detail, "1 invalid member.");
      }
      for (const now of ["1970-01-01T00:00:00Z", "9998-12-31T23:59:59Z"]) {
        const { status, json } = await post(service, "/admin/v1/test-clock", admin, { now, running: false });
        assert.deepEqual([status, json.now], [200, now]);
      }
    });
  });
});

test("fault injection and the test clock don't exist outside of test mode", async () => {
  await listening(async (service) => {
    const bearer = { authorization: `Bearer ${await service.key()}`, "x-bellwire-fault": "status=503" };
    assert.equal((await service.request(url, bearer)).status, 200);
    const admin = await asAdmin(service);
    for (const path of ["/admin/v1/test-clock", "/admin/v1/test-faults"])
      assert.equal((await post(service, path, admin, {})).status, 404);
  });
});
