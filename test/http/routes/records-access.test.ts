// DELETE of a record; write access, body types and sizes, and origins.
import assert from "node:assert/strict";
import { gzipSync } from "node:zlib";
import { type Api, type RecordInput, resourceNamed } from "../../support/clients/api.ts";
import { day, isProblem, lines, writer } from "../../support/clients/writing.ts";
import { onEveryStore } from "../../support/stores/every-store.ts";

onEveryStore("DELETE of a record", (test) => {
  test("removes it and reports that; a second time there is nothing to remove", async (api) => {
    const { remove } = await writer(api);
    await api.has("news", [{ id: 5 }, { id: 6 }]);
    const first = await remove("/admin/v1/records/news/5");
    assert.deepEqual([first.status, first.text], [200, '{"removed":1}']);
    assert.equal(first.headers["cache-control"], "no-store");
    const again = await remove("/admin/v1/records/news/5");
    assert.deepEqual([again.status, again.text], [200, '{"removed":0}']);
    assert.deepEqual(await api.ids("/api/v2/news"), [6]);
    const kinds = (await api.store.changes(0, 10)).map(({ id, kind }) => `${id} ${kind}`);
    assert.deepEqual(kinds, ["5 created", "6 created", "5 removed"]);
  });

  test("accepts IDs with any characters, percent-encoded, and of any length", async (api) => {
    const { remove } = await writer(api);
    const ids = ["a/b", "a b", "ü?&#", "%2F", "x".repeat(255), "toString", "{id}", ":id"];
    await api.has(
      "ratings",
      ids.map((id) => ({ id })),
    );
    for (const id of ids) {
      const { status, text } = await remove(`/admin/v1/records/ratings/${encodeURIComponent(id)}`);
      assert.deepEqual([status, text], [200, '{"removed":1}'], id);
    }
    assert.equal(await api.store.count(resourceNamed("ratings")), 0);
  });

  test("logs the ID as stored, however it was written", async (api) => {
    const { remove } = await writer(api);
    await api.has("news", [{ id: 7 }]);
    assert.equal((await remove("/admin/v1/records/news/007")).text, '{"removed":1}');
    assert.equal((await api.store.changes(0, 10)).at(-1)?.id, "7");
  });

  test("rejects an ID that no record can have, with an explanation", async (api) => {
    const { remove } = await writer(api);
    const numeric = await remove("/admin/v1/records/news/abc");
    isProblem(numeric, "request.parameters", 400, /^1 invalid parameter\.$/);
    assert.equal(numeric.json.errors[0].parameter, "id");
    assert.equal(numeric.json.errors[0].given, "abc");
    assert.match(numeric.json.errors[0].expected, /^an integer/);
    const long = await remove(`/admin/v1/records/ratings/${"x".repeat(256)}`);
    assert.equal(long.json.errors[0].expected, "text of 1 to 255 characters");
  });

  test("ignores a body and a content type", async (api) => {
    const { remove } = await writer(api);
    await api.has("ratings", [{ id: "a" }]);
    const { text } = await remove("/admin/v1/records/ratings/a", { headers: { "content-type": "application/json" } });
    assert.equal(text, '{"removed":1}');
  });
});

onEveryStore("write access", (test) => {
  test("requires the scope write; the detail names the missing scope", async (api) => {
    for (const scopes of [["read"], ["replicate", "admin"]]) {
      const key = await api.key({ scopes });
      const { post, remove } = await writer(api);
      const posted = await post("/admin/v1/records/news", "nonsense", { key, type: "text/csv" });
      isProblem(posted, "key.scope", 403, /^This requires the scope "write"; this key has /);
      isProblem(await remove("/admin/v1/records/news/5", { key }), "key.scope", 403, /"write"/);
    }
  });

  test("requires the key in the header: one in the query is rejected, valid or not, and never logged", async (api) => {
    const { post, key } = await writer(api);
    for (const token of [key, "wrong"]) {
      const inQuery = await api.request(`/admin/v1/records/news?token=${token}`, { method: "POST", body: "[]" });
      isProblem(inQuery, "key.header", 401, /`Authorization` header only/);
      const both = await post(`/admin/v1/records/news?token=${token}`, "[]");
      isProblem(both, "key.header", 401, /`Authorization` header only/);
      assert.match(String(both.headers["www-authenticate"]), /^Bearer/);
    }
    assert.equal((await post("/admin/v1/records/news?token=", "[]")).status, 200);
    assert.equal(
      (await api.request("/admin/v1/records/news", { method: "POST", body: "[]" })).json.code,
      "key.missing",
    );
    assert.ok(!api.log.join("").includes(key));
  });

  test("reports all parameter errors; unknown parameters are ignored and listed", async (api) => {
    const { post, remove } = await writer(api);
    const wrong = await post("/admin/v1/records/news?atomic=maybe&x=%zz", "[]");
    isProblem(wrong, "request.parameters", 400, /^2 invalid parameters\.$/);
    const { headers } = await post("/admin/v1/records/news?atomc=true&atomic=", "[]");
    assert.equal(headers["x-ignored-parameters"], "atomc");
    assert.equal((await remove("/admin/v1/records/news/5?atomic=true")).headers["x-ignored-parameters"], "atomic");
  });

  test("rejects other media types and encodings, with the supported ones", async (api) => {
    const { post } = await writer(api);
    for (const type of [
      "text/csv",
      "text/plain",
      "application/xml",
      "multipart/form-data; boundary=x",
      "toString",
      "",
    ]) {
      const { status, json } = await post("/admin/v1/records/news", "[]", { type });
      assert.deepEqual([status, json.code], [415, "request.type"], type);
      assert.match(
        json.detail,
        /^Content-Type: expected application\/json, application\/x-ndjson, application\/jsonl; got /,
      );
    }
    for (const encoding of ["br", "deflate", "gzip, gzip", "constructor"]) {
      const response = await post("/admin/v1/records/news", "[]", { headers: { "content-encoding": encoding } });
      isProblem(response, "request.type", 415, /^Content-Encoding: expected gzip, or none; got /);
      assert.equal(response.headers["accept-encoding"], "gzip");
    }
    assert.equal(
      (await post("/admin/v1/records/news", "[]", { headers: { "content-encoding": "identity" } })).status,
      200,
    );
    isProblem(
      await post("/admin/v1/records/news", "[]", { headers: { accept: "text/html" } }),
      "format.unacceptable",
      406,
      /json/,
    );
  });

  test("returns 404 with the known resources for an unknown one, 405 with the supported methods for others", async (api) => {
    const { post, remove, key } = await writer(api);
    const headers = { authorization: `Bearer ${key}` };
    for (const response of [
      await post("/admin/v1/records/weather", "[]"),
      await post("/admin/v1/records", "[]"),
      await remove("/admin/v1/records/weather/5"),
      await api.request("/admin/v1/records/weather", { headers }),
    ]) {
      isProblem(
        response,
        "request.path",
        404,
        /one of news, ratings, dividends, guidance, earnings, economics, conference-calls\.$/,
      );
    }
    for (const [method, url, allow] of [
      ["GET", "/admin/v1/records/news", "POST"],
      ["HEAD", "/admin/v1/records/news/", "POST"],
      ["DELETE", "/admin/v1/records/news", "POST"],
      ["OPTIONS", "/admin/v1/records/news", "POST"],
      ["PUT", "/admin/v1/records/news/5", "DELETE"],
      ["GET", "/admin/v1/records/news/5", "DELETE"],
      ["POST", "/admin/v1/records/ratings/a%2Fb", "DELETE"],
    ] as const) {
      const { status, headers: received } = await api.request(url, { method, headers });
      assert.deepEqual([status, received.allow], [405, allow], `${method} ${url}`);
    }
    assert.equal((await post("//admin/v1//records/news/", "[]")).status, 200);
  });

  test(
    "returns 413 for a body over the limit, with the records stored before it; one at the limit is accepted",
    async (api) => {
      const { post } = await writer(api);
      const record = JSON.stringify({ id: "a", ...day });
      const exact = `[${record}${" ".repeat(1998 - record.length)}]`;
      assert.equal((await post("/admin/v1/records/ratings", exact)).status, 200);
      isProblem(
        await post("/admin/v1/records/ratings", `${exact} `),
        "request.size",
        413,
        /^The body is larger than 2,000 bytes\.$/,
      );
      const small = `[${record}${" ".repeat(998 - record.length)}]`;
      assert.equal((await post("/admin/v1/records/ratings?atomic=true", small)).status, 200);
      isProblem(
        await post("/admin/v1/records/ratings?atomic=true", `${small} `),
        "request.size",
        413,
        /1,000 bytes\.$/,
      );
    },
    { writeLimits: { bytes: 2000, atomicBytes: 1000 } },
  );

  test(
    "counts decompressed bytes: a small compressed body that is large inside gets a 413 and stores nothing",
    async (api) => {
      const { post } = await writer(api);
      const headers = { "content-encoding": "gzip" };
      const bomb = gzipSync(Buffer.alloc(5_000_000, " "));
      const blanks = await post("/admin/v1/records/ratings", bomb, { headers });
      isProblem(blanks, "request.size", 413, /300,000 bytes\.$/);
      const records: RecordInput[] = Array.from({ length: 9000 }, (_, n) => ({ id: `r${n}`, ...day }));
      const sent = { headers, type: "application/x-ndjson" };
      const many = await post("/admin/v1/records/ratings", gzipSync(lines(records)), sent);
      isProblem(many, "request.size", 413, /300,000 bytes\.$/);
      assert.ok(many.json.report.created > 3000);
      assert.equal(await api.store.count(resourceNamed("ratings")), many.json.report.created);
      const atomic = await post("/admin/v1/records/earnings?atomic=true", gzipSync(lines(records)), sent);
      isProblem(atomic, "request.size", 413, /150,000 bytes\.$/);
      assert.equal(await api.store.count(resourceNamed("earnings")), 0);
    },
    { writeLimits: { bytes: 300_000, atomicBytes: 150_000 } },
  );
});

const preflight = (api: Api, url: string, method: string) =>
  api.request(url, {
    method: "OPTIONS",
    headers: { origin: "https://app.example", "access-control-request-method": method },
  });

onEveryStore("writing from another origin", (test) => {
  test("is not allowed by default", async (api) => {
    const { status, headers } = await preflight(api, "/admin/v1/records/news", "POST");
    assert.deepEqual([status, headers["access-control-allow-methods"]], [204, "GET, HEAD"]);
  });

  test(
    "is allowed for listed origins",
    async (api) => {
      for (const [url, method] of [
        ["/admin/v1/records/news", "POST"],
        ["/admin/v1/records/news/5", "DELETE"],
      ] as const) {
        const { status, headers } = await preflight(api, url, method);
        assert.deepEqual([status, headers["access-control-allow-methods"]], [204, "GET, HEAD, POST, PATCH, DELETE"]);
        assert.match(headers["access-control-allow-headers"] ?? "", /Authorization.*Content-Type.*Content-Encoding/);
      }
      const { post } = await writer(api);
      const { status, headers } = await post("/admin/v1/records/news", "[]", {
        headers: { origin: "https://app.example" },
      });
      assert.deepEqual([status, headers["access-control-allow-origin"]], [200, "https://app.example"]);
    },
    { corsOrigins: ["https://app.example"] },
  );
});
