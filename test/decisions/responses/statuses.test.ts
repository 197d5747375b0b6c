// Status codes: what each one is for, their precedence, and what internal errors reveal.
import assert from "node:assert/strict";
import { statSync, writeFileSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { describe, test as nodeTest } from "node:test";
import inject from "light-my-request";
import { createLog } from "../../../src/http/observe/log.ts";
import { buildServer } from "../../../src/http/server.ts";
import { catalog } from "../../../src/resources/catalog.ts";
import type { Store } from "../../../src/store/store.ts";
import { type Api, startApi } from "../../support/clients/api.ts";
import { onEveryStore } from "../../support/stores/every-store.ts";

onEveryStore("status codes", (test) => {
  test("400 for invalid parameters", async (api) => {
    const found = await api.fetch("/api/v2.1/calendar/earnings?pagesize=1001");
    assert.deepEqual([found.status, found.json.code], [400, "request.parameters"]);
  });

  test("401 with a challenge when the token is missing", async (api) => {
    for (const url of ["/api/v2/news", "/api/v2/news?token=", "/api/v2.2/calendar/dividends?token=%20"]) {
      const found = await api.request(url);
      assert.deepEqual([found.status, found.json.code], [401, "key.missing"], url);
      assert.match(found.headers["www-authenticate"] ?? "", /^Bearer /);
    }
  });

  test("401 with the same text for unknown, expired, and revoked tokens", async (api) => {
    const expired = await api.key({ expires: "2026-01-14" });
    const revoked = await api.key({ name: "gone" });
    await api.store.revokeKey("gone", api.clock.now);
    const responses = [];
    for (const token of [expired, revoked, "no-key-at-all", `${api.token.slice(0, -1)}!`]) {
      const { status, json, headers } = await api.request(`/api/v2/news?token=${token}`);
      responses.push(JSON.stringify({ status, ...json, request_id: "", challenge: headers["www-authenticate"] }));
    }
    assert.equal(new Set(responses).size, 1, responses.join("\n"));
    assert.match(responses[0] ?? "", /"status":401/);
  });

  test("403 if a license is missing, with its name and the parameter that requires it", async (api) => {
    const token = await api.key();
    const found = await api.request(`/api/v2/news?token=${token}&cusips=307833103`);
    assert.deepEqual([found.status, found.json.code], [403, "key.license"]);
    assert.match(found.json.detail, /"cusip"/);
    assert.match(found.json.detail, /cusips/);
    assert.equal((await api.request(`/api/v2/news?token=${token}&cusips=,+`)).status, 200);
    assert.equal((await api.fetch("/api/v2/news?cusips=307833103")).status, 200);
  });

  test("404 for an unknown path, with or without a token", async (api) => {
    for (const url of ["/api/v2/newz", "/api", "/api/v2.1/calendar", "/favicon.ico", "/API/V2/NEWS"]) {
      assert.equal((await api.request(url)).status, 404, url);
      assert.equal((await api.fetch(url)).status, 404, url);
    }
  });

  test("405 for an unsupported method, with the supported ones", async (api) => {
    const found = await api.request("/api/v2/news", { method: "DELETE" });
    assert.deepEqual([found.status, found.headers.allow, found.json.code], [405, "GET, HEAD", "request.method"]);
  });

  test("no rate limit unless one is set", async (api) => {
    for (let at = 0; at < 300; at++) assert.equal((await api.fetch("/api/v2/news?pageSize=1")).status, 200);
  });
});

onEveryStore("precedence of status codes", (test) => {
  const wrong = "page=x&cusips=307833103&sort=wrong";
  const accept = "text/plain";

  test("404 comes before all others", async (api) => {
    const found = await api.request(`/api/v3/nothing?${wrong}&token=x`, { method: "POST", headers: { accept } });
    assert.equal(found.status, 404);
  });

  test("405 comes before 401", async (api) => {
    assert.equal((await api.request(`/api/v2/news?${wrong}`, { method: "PUT", headers: { accept } })).status, 405);
  });

  test("401 comes before 406, 403, and 400, and reveals nothing about the parameters", async (api) => {
    for (const token of ["", "&token=wrong"]) {
      const found = await api.request(`/api/v2/news?${wrong}${token}`, { headers: { accept } });
      assert.deepEqual([found.status, found.json.errors, found.headers["x-ignored-parameters"]], [401, [], undefined]);
      assert.doesNotMatch(found.text, /sort|page|cusip/);
    }
  });

  test("429 comes after 401 and before 406, 403, and 400", async (api) => {
    const token = await api.key({ quota: 1 });
    assert.equal((await api.request(`/api/v2/news?token=${token}`)).status, 200);
    const rejected = { headers: { accept: "image/png" } };
    assert.equal((await api.request(`/api/v2/news?cusips=1&page=x&token=${token}`, rejected)).status, 429);
    assert.equal((await api.request(`/api/v3/news?token=${token}`)).status, 404);
    assert.equal((await api.request("/api/v2/news?cusips=1&page=x", rejected)).status, 401);
  });

  test("406 comes before 403 and 400", async (api) => {
    const authorization = `Bearer ${await api.key()}`;
    const found = await api.request(`/api/v2/news?${wrong}`, { headers: { accept, authorization } });
    assert.equal(found.status, 406);
  });

  test("403 comes before 400, even if the licensed parameter itself is invalid", async (api) => {
    const authorization = `Bearer ${await api.key()}`;
    const tooMany = Array.from({ length: 51 }, (_, at) => `C${at}`).join(",");
    for (const query of [wrong, `cusips=${tooMany}`, "cusips=a&cusips=b"]) {
      const found = await api.request(`/api/v2/news?${query}`, { headers: { authorization } });
      assert.deepEqual([found.status, found.json.errors], [403, []], query);
    }
  });

  test("400 comes last", async (api) => {
    const found = await api.fetch(`/api/v2/news?${wrong}`);
    assert.deepEqual(
      [found.status, found.json.errors.map(({ parameter }: { parameter: string }) => parameter).sort()],
      [400, ["page", "sort"]],
    );
  });
});

/** The application on the store of a test, with some calls failing. */
async function withFaults<T>(api: Api, faults: Partial<Store>, work: (api: Api) => Promise<T>): Promise<T> {
  const log: string[] = [];
  const { app, handle } = await buildServer({
    catalog,
    store: { ...api.store, ...faults },
    log: createLog("info", { write: (line) => log.push(line) }),
    openapi: {},
    now: () => api.clock.now,
  });
  const request: Api["request"] = async (url, { method = "GET", headers = {} } = {}) => {
    const reply = await inject(handle, { url, method: method as "GET", headers });
    return {
      status: reply.statusCode,
      headers: reply.headers as Record<string, string>,
      text: reply.payload,
      bytes: reply.rawPayload,
      get json() {
        return reply.json();
      },
    };
  };
  const result = await work({ ...api, log, request });
  await app.close();
  return result;
}

onEveryStore("internal errors", (test) => {
  const secret = "SELECT failed near line 7";
  const faulty: Partial<Store> = {
    page: async () => {
      throw new Error(secret);
    },
  };

  test("are 500s in the same shape, with the reason only in the log, under the request's ID", async (api) => {
    await withFaults(api, faulty, async ({ request, log, token }) => {
      const found = await request(`/api/v2/news?token=${token}&tickers=AAPL&x=1`);
      assert.deepEqual([found.status, found.json.code, found.json.errors], [500, "server.fault", []]);
      assert.equal(found.headers["content-type"], "application/problem+json; charset=utf-8");
      assert.ok(!found.text.includes(secret));
      const lines = log.filter((line) => line.includes(found.json.request_id));
      assert.ok(lines.some((line) => line.includes(secret)));
      assert.ok(!log.join().includes(token));
    });
  });

  test("are XML for a client that accepts nothing else", async (api) => {
    await withFaults(api, { state: faulty.page as never }, async ({ request, token }) => {
      const found = await request(`/api/v2/news?token=${token}`, { headers: { accept: "text/xml" } });
      assert.deepEqual([found.status, found.headers["content-type"]], [500, "application/problem+xml; charset=utf-8"]);
    });
  });
});

describe("a failing database", () => {
  nodeTest(
    "gets a 503 with Retry-After, from the API and from the readiness check, while the process is alive",
    async () => {
      const api = await startApi();
      await api.has("news", [{ id: 1 }]);
      // The file is overwritten while the server runs: all of its data is in it, and none of that is a database anymore.
      const other = new DatabaseSync(api.file, { timeout: 30_000 });
      other.exec("pragma wal_checkpoint(truncate)");
      other.close();
      writeFileSync(api.file, Buffer.alloc(statSync(api.file).size, "spoilt"));
      const found = await api.fetch("/api/v2/news");
      assert.deepEqual([found.status, found.json.code, found.json.errors], [503, "server.unavailable", []]);
      assert.match(found.headers["retry-after"] ?? "", /^[1-9]\d*$/);
      assert.doesNotMatch(found.text, /sqlite/i);
      assert.equal((await api.request("/readyz")).status, 503);
      assert.equal((await api.request("/livez")).status, 200);
      assert.ok(api.log.some((line) => line.includes(found.json.request_id) && line.includes('"level":"error"')));
      await api.close();
    },
  );
});
