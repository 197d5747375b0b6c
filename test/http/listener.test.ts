// Where a server listens: every address of a host with the same protection, and admin endpoints on a separate port.
import assert from "node:assert/strict";
import { describe, type TestContext, test } from "node:test";
import { createLog } from "../../src/http/observe/log.ts";
import { buildServer } from "../../src/http/server.ts";
import { catalog } from "../../src/resources/catalog.ts";
import { startApi } from "../support/clients/api.ts";

async function start(t: TestContext, adminApart: boolean, host = "127.0.0.1") {
  const api = await startApi();
  await api.has("news", [{ id: 1 }]);
  const lines: string[] = [];
  const server = await buildServer({
    catalog,
    store: api.store,
    log: createLog("info", { write: (line) => lines.push(line) }),
    openapi: {},
    now: () => api.clock.now,
    hasAdminPort: adminApart,
  });
  const ports = await server.listen({ host, port: 0 }, adminApart ? { host: "127.0.0.1", port: 0 } : undefined);
  t.after(async () => {
    server.closeConnections();
    await server.app.close();
    await api.close();
  });
  const request = (port: number | undefined, path: string, key: string, method = "GET", at = "127.0.0.1") =>
    fetch(`http://${at}:${port}${path}`, { method, headers: { authorization: `Bearer ${key}` } });
  return { ...ports, request, key: api.key, server, lines };
}

const adminPaths = ["/admin/v1/keys", "//admin/v1/keys/", "/%61dmin/v1/keys", "/admin/v1/records/news/1", "/metrics"];

describe("admin endpoints", () => {
  test("are served on the public port if there is no admin port", async (t) => {
    const { port, adminPort, request, key } = await start(t, false);
    assert.equal(adminPort, undefined);
    assert.equal((await request(port, "/admin/v1/keys", await key({ scopes: ["admin"] }))).status, 200);
    assert.equal(
      (await request(port, "/admin/v1/records/news/9", await key({ scopes: ["write"] }), "DELETE")).status,
      200,
    );
  });

  test("are not found on the public port if there is an admin port, for any key, method, or spelling", async (t) => {
    const { port, adminPort, request, key } = await start(t, true);
    assert.notEqual(adminPort, port);
    const all = await key({ scopes: ["read", "write", "admin"] });
    for (const path of adminPaths) {
      for (const method of ["GET", "POST", "DELETE", "PUT"]) {
        const found = await request(port, path, all, method);
        const body = (await found.json()) as { code: string; detail: string };
        assert.deepEqual([found.status, body.code], [404, "request.path"], `${method} ${path}`);
        assert.doesNotMatch(body.detail, /admin|metrics/, path);
      }
    }
    assert.equal((await request(port, "/api/v2/news", all)).status, 200);
    assert.equal((await request(port, "/livez", all)).status, 200);
    assert.deepEqual(await (await request(port, "/readyz", all)).json(), { status: "ok" });
    assert.deepEqual(await (await request(adminPort, "/readyz", all)).json(), {
      status: "ok",
      checks: { database: "ok" },
    });
  });

  test("are served on the admin port, along with everything else", async (t) => {
    const { adminPort, request, key } = await start(t, true);
    const all = await key({ scopes: ["read", "write", "admin"] });
    assert.equal((await request(adminPort, "/admin/v1/keys", all)).status, 200);
    assert.equal((await request(adminPort, "/admin/v1/records/news/9", all, "DELETE")).status, 200);
    assert.equal((await request(adminPort, "/api/v2/news", all)).status, 200);
    assert.equal((await request(adminPort, "/admin/v1/keys", await key())).status, 403);
    assert.equal((await request(adminPort, "/admin/v1/keys", "nobody")).status, 401);
  });
});

describe("localhost", () => {
  test("is listened on at all of its addresses, each with the same responses", async (t) => {
    const { port, request, key, server, lines } = await start(t, false, "localhost");
    const token = await key();
    const found = [];
    for (const at of ["127.0.0.1", "[::1]"]) {
      const response = await request(port, "/api/v2/news", token, "GET", at).catch(() => undefined);
      // A machine may have no IPv6.
      if (response === undefined) continue;
      assert.equal(response.status, 200);
      found.push([...response.headers.keys()].filter((name) => name !== "x-request-id").join(" "));
      await response.text();
    }
    assert.equal(new Set(found).size, 1);
    assert.equal(lines.filter((line) => line.includes('"msg":"request"')).length, found.length);
    assert.ok(server.protection.connections.open >= 1);
  });
});
