// Keys over HTTP: created, shown, changed, rotated, and revoked with an admin key, and no other.
import assert from "node:assert/strict";
import { type Api, type ApiResponse, type Body, testNow } from "../../support/clients/api.ts";
import { onEveryStore } from "../../support/stores/every-store.ts";

type Ask = (method: string, path?: string, body?: unknown) => Promise<ApiResponse>;

const administering = async (api: Api): Promise<Ask> => {
  const key = await api.key({ name: "operator", scopes: ["admin"] });
  const headers = { authorization: `Bearer ${key}` };
  return (method, path = "", body) =>
    api.request(`/admin/v1/keys${path}`, {
      ...{ method, headers },
      ...(body === undefined ? {} : { body: typeof body === "string" ? body : JSON.stringify(body) }),
    });
};

const keyForm = /^bw_[0-9A-Za-z]{38}$/;

const plain = {
  ...{ owner: "", scopes: ["read"], licenses: [], resources: [], history: "", delay_minutes: 0, rate: 0, burst: 0 },
  ...{ quota: 0, quota_per: "day", expires: "", origins: [], networks: [], compat: false },
};

onEveryStore("keys over HTTP", (test) => {
  test("a key is created with its terms, shown once, and works accordingly", async (api) => {
    const request = await administering(api);
    const terms = {
      ...{ owner: "Acme Ltd", licenses: ["cusip"], resources: ["news", "ratings"], history: "365d", delay_minutes: 15 },
      ...{ rate: 2.5, burst: 10, quota: 1000, quota_per: "month", expires: "2026-12-31" },
      ...{ origins: ["https://example.com"], networks: ["127.0.0.0/8"], compat: true, scopes: ["read"] },
    };
    const made = await request("POST", "", { name: "acme", ...terms });
    assert.equal(made.status, 201, made.text);
    assert.equal(made.headers["cache-control"], "no-store");
    const { key, ...shown } = made.json;
    assert.match(key, keyForm);
    const entry = {
      ...{ name: "acme", state: "valid", ...terms },
      ...{ created: "2026-01-15T12:00:00Z", revoked: "", last_used: "" },
    };
    assert.deepEqual(shown, entry);
    assert.deepEqual((await request("GET", "/acme")).json, entry);
    const listed = (await request("GET")).json.keys;
    assert.deepEqual(
      listed.map(({ name }: Body) => name),
      ["test-1", "operator", "acme"],
    );
    assert.deepEqual(listed.at(-1), entry);
    assert.ok(!JSON.stringify(listed).includes("bw_"), "a key was shown again");
    assert.ok(!/[0-9a-f]{64}/.test(JSON.stringify(listed)), "a hash was shown");
    const used = await api.request(`/api/v2/news?cusips=1&token=${key}`, {
      headers: { origin: "https://example.com" },
    });
    assert.equal(used.status, 200);
    assert.equal((await api.request(`/api/v2.1/calendar/earnings?token=${key}`)).status, 403);
    assert.ok(!api.log.join("").includes(key));
  });

  test("a key created with only a name reads everything; names are unique among valid keys", async (api) => {
    const request = await administering(api);
    const { key, ...entry } = (await request("POST", "", { name: "  a name/with ü%  " })).json;
    assert.deepEqual(entry, {
      ...{ name: "a name/with ü%", state: "valid", ...plain },
      ...{ created: "2026-01-15T12:00:00Z", revoked: "", last_used: "" },
    });
    assert.equal((await api.request(`/api/v2/news?token=${key}`)).status, 200);
    const path = `/${encodeURIComponent("a name/with ü%")}`;
    assert.equal((await request("GET", path)).json.name, "a name/with ü%");
    const again = await request("POST", "", { name: "a name/with ü%" });
    assert.deepEqual([again.status, again.json.code], [409, "key.conflict"]);
    assert.equal((await request("DELETE", path)).json.state, "revoked");
    assert.equal((await request("POST", "", { name: "a name/with ü%" })).status, 201);
    assert.equal((await request("GET", path)).json.state, "valid");
    const both = await Promise.all([1, 2, 3, 4].map(() => request("POST", "", { name: "at once" })));
    assert.deepEqual(both.map(({ status }) => status).toSorted(), [201, 409, 409, 409]);
  });

  test("every error in a body is reported, and nothing is changed", async (api) => {
    const request = await administering(api);
    const before = (await api.store.listKeys()).length;
    const wrong = await request("POST", "", { name: " ", delay_minutes: -1, colour: "red", expires: "2026-01-14" });
    assert.deepEqual([wrong.status, wrong.json.code], [400, "request.members"]);
    assert.deepEqual(
      wrong.json.errors.map(({ parameter }: Body) => parameter),
      ["name", "delay_minutes", "colour", "expires"],
    );
    for (const body of ["", "[]", "1", '"a"', "null", "{", "{}", "\u0000", "{'name':'a'}"]) {
      const { status, json } = await request("POST", "", body);
      assert.deepEqual([status, json.code], [400, "request.members"], body);
    }
    const large = await request("POST", "", JSON.stringify({ name: "a", owner: "x".repeat(70_000) }));
    assert.deepEqual([large.status, large.json.code], [400, "request.members"]);
    const clash = { name: "a", scopes: ["replicate"], delay_minutes: 15, burst: 3 };
    assert.deepEqual(
      (await request("POST", "", clash)).json.errors.map(({ parameter }: Body) => parameter),
      ["delay_minutes", "burst"],
    );
    const leaked = await request("POST", "", { name: api.token, owner: api.token });
    assert.equal(leaked.json.errors.length, 2);
    assert.ok(!leaked.text.includes(api.token), "a key was echoed");
    assert.equal((await api.store.listKeys()).length, before);
  });

  test("an update changes only the terms it contains, from the next request on", async (api) => {
    const request = await administering(api);
    const { key } = (await request("POST", "", { name: "acme", owner: "Acme", resources: ["news"] })).json;
    const status = async () => (await api.request(`/api/v2/news?token=${key}`)).status;
    for (let time = 0; time < 3; time++) assert.equal(await status(), 200);
    const changed = await request("PATCH", "/acme", { resources: ["ratings"], rate: 5 });
    assert.equal(changed.status, 200, changed.text);
    const { owner, resources, rate } = changed.json;
    assert.deepEqual([owner, resources, rate], ["Acme", ["ratings"], 5]);
    assert.equal(await status(), 403);
    assert.equal((await request("PATCH", "/acme", { resources: [] })).status, 200);
    assert.equal(await status(), 200);
    assert.deepEqual((await request("PATCH", "/acme", {})).json.rate, 5);
    // Compared with the key's current terms, not only with the new ones.
    const clash = await request("PATCH", "/acme", { rate: 0, burst: 5 });
    assert.deepEqual([clash.status, clash.json.errors[0].parameter], [400, "burst"]);
    assert.equal((await request("PATCH", "/acme", { name: "other" })).json.errors[0].parameter, "name");
    assert.equal((await request("PATCH", "/nobody", { rate: 1 })).json.code, "key.absent");
  });

  test("an expired key can be extended, and rotated only after that", async (api) => {
    const request = await administering(api);
    const { key } = (await request("POST", "", { name: "acme", expires: "2026-01-15" })).json;
    api.clock.now += 86_400;
    assert.equal((await request("GET", "/acme")).json.state, "expired");
    assert.equal((await request("POST", "/acme/rotate")).json.code, "key.conflict");
    assert.equal((await request("PATCH", "/acme", { expires: "2026-01-20" })).json.state, "valid");
    assert.equal((await api.request(`/api/v2/news?token=${key}`)).status, 200);
    assert.equal((await request("POST", "/acme/rotate")).status, 201);
  });

  test("a rotated key keeps its terms, and the old one retires after its grace period", async (api) => {
    const request = await administering(api);
    const { key: first } = (await request("POST", "", { name: "acme", resources: ["news"] })).json;
    const rotated = await request("POST", "/acme/rotate", { grace_hours: 2 });
    assert.equal(rotated.status, 201, rotated.text);
    const { key: second, name, resources, state } = rotated.json;
    assert.deepEqual([name, resources, state], ["acme", ["news"], "valid"]);
    assert.match(second, keyForm);
    assert.notEqual(second, first);
    const states = async () =>
      (await request("GET")).json.keys
        .filter((each: Body) => each.name === "acme")
        .map((each: Body) => [each.state, each.revoked]);
    assert.deepEqual(await states(), [
      ["retiring", "2026-01-15T14:00:00Z"],
      ["valid", ""],
    ]);
    const statuses = () =>
      Promise.all([first, second].map(async (key) => (await api.request(`/api/v2/news?token=${key}`)).status));
    assert.deepEqual(await statuses(), [200, 200]);
    await request("PATCH", "/acme", { resources: ["ratings"] });
    assert.deepEqual(await statuses(), [403, 403]);
    await request("PATCH", "/acme", { resources: [] });
    api.clock.now = testNow + 7200;
    assert.deepEqual(await statuses(), [401, 200]);
    assert.deepEqual((await states())[0], ["revoked", "2026-01-15T14:00:00Z"]);
    // Immediately, after a day by default, and never with anything else.
    const { key: third } = (await request("POST", "/acme/rotate", { grace_hours: 0 })).json;
    assert.equal((await api.request(`/api/v2/news?token=${second}`)).status, 401);
    assert.equal((await api.request(`/api/v2/news?token=${third}`)).status, 200);
    await request("POST", "/acme/rotate");
    assert.deepEqual((await states()).at(-2), ["retiring", "2026-01-16T14:00:00Z"]);
    for (const body of [{ grace_hours: -1 }, { grace_hours: 8761 }, { grace_hours: "1" }, { grace: 1 }])
      assert.equal((await request("POST", "/acme/rotate", body)).json.code, "request.members", JSON.stringify(body));
    assert.equal((await request("POST", "/nobody/rotate")).json.code, "key.absent");
    // Revoking ends retiring ones too.
    assert.equal((await request("DELETE", "/acme")).status, 200);
    assert.equal((await api.request(`/api/v2/news?token=${third}`)).status, 401);
    assert.equal((await request("DELETE", "/acme")).json.code, "key.absent");
  });

  test("access requires a key with the scope admin, in the header; HEAD returns the headers of GET", async (api) => {
    const request = await administering(api);
    const requests = [
      ["GET", ""],
      ["POST", ""],
      ["GET", "/x"],
      ["PATCH", "/x"],
      ["DELETE", "/x"],
      ["POST", "/x/rotate"],
    ] as const;
    const others = await api.key({ scopes: ["read", "write", "replicate"] });
    for (const [method, path] of requests) {
      const url = `/admin/v1/keys${path}`;
      const without = await api.request(url, { method });
      assert.deepEqual([without.status, without.json.code], [401, "key.missing"], url);
      const query = await api.request(`${url}?token=${others}`, { method });
      assert.deepEqual([query.status, query.json.code], [401, "key.header"], url);
      const other = await api.request(url, { method, headers: { authorization: `Bearer ${others}` } });
      assert.deepEqual([other.status, other.json.code], [403, "key.scope"], url);
    }
    const [head, get] = [await request("HEAD"), await request("GET")];
    assert.deepEqual([head.status, head.text], [200, ""]);
    assert.equal(head.headers["content-length"], get.headers["content-length"]);
    assert.equal((await request("PUT")).headers.allow, "GET, HEAD, POST");
    assert.equal((await request("PUT", "/x")).headers.allow, "GET, HEAD, PATCH, DELETE");
    assert.equal((await request("GET", "?colour=red")).headers["x-ignored-parameters"], "colour");
  });
});
