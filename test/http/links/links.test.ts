// Links over HTTP: created, listed, and revoked by operators and by keys with the scope; they end with their key.
import assert from "node:assert/strict";
import { type Api, type ApiResponse, testNow } from "../../support/clients/api.ts";
import { onEveryStore } from "../../support/stores/every-store.ts";

type Send = (method: string, path?: string, body?: unknown) => Promise<ApiResponse>;

const sender = (api: Api, key: string): Send => {
  const headers = { authorization: `Bearer ${key}` };
  return (method, path = "", body) =>
    api.request(`/admin/v1/links${path}`, {
      ...{ method, headers },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
};

const operator = async (api: Api): Promise<Send> => sender(api, await api.key({ name: "operator", scopes: ["admin"] }));

const list = "/api/v2.1/calendar/ratings?parameters[tickers]=ACME&output=csv";
const hasOne = (api: Api) => api.has("ratings", [{ id: "a", ticker: "ACME", date: "2026-01-14" }]);

async function linkTo(send: Send, input: object): Promise<{ id: string; url: string }> {
  const made = await send("POST", "", { url: list, ...input });
  assert.equal(made.status, 201, made.text);
  return made.json;
}

const isDead = async (api: Api, url: string) => {
  const { status, json } = await api.request(url);
  assert.deepEqual([status, json.code], [404, "link.unknown"]);
};

onEveryStore("links over HTTP", (test) => {
  test("a link is shown once, listed without its token, counted, and revoked", async (api) => {
    await hasOne(api);
    const send = await operator(api);
    await api.key({ name: "acme" });
    const made = await send("POST", "", { url: list, name: "My ratings", key: "acme" });
    const { url, id, ...shown } = made.json;
    assert.deepEqual(shown, {
      ...{ name: "My ratings", key: "acme", state: "valid", list_url: list, file: "ratings.csv", requests: 0 },
      ...{ created: "2026-01-15T12:00:00Z", revoked: "", last_used: "" },
    });
    assert.match((await api.request(url)).text, /^action_company,.*ACME/s);
    assert.equal((await api.request(url, { method: "HEAD" })).headers["content-type"], "text/csv; charset=utf-8");
    const used = { id, ...shown, requests: 2, last_used: "2026-01-15T12:00:00Z" };
    const listed = await send("GET");
    assert.deepEqual(listed.json, { links: [used] });
    assert.ok(!/bw_|[0-9a-f]{64}/.test(listed.text), "a token or its hash was shown");
    assert.ok(!api.log.join("").includes(url.split("/")[2]), "a token was logged");
    assert.match(api.log.join(""), new RegExp(`"url":"/links/bw_…/ratings\\.csv".*"key":"acme","link":"${id}"`));
    const ended = { ...used, state: "revoked", revoked: "2026-01-15T12:00:00Z" };
    assert.deepEqual((await send("DELETE", `/${id}`)).json, ended);
    await isDead(api, url);
    assert.deepEqual((await send("GET", "?key=acme")).json, { links: [ended] });
    assert.deepEqual((await send("GET", "?key=other")).json, { links: [] });
    assert.equal((await send("DELETE", `/${id}`)).json.code, "link.absent");
  });

  test("a key with the scope links creates them for itself, and sees and revokes no others", async (api) => {
    await hasOne(api);
    const all = await operator(api);
    await api.key({ name: "acme" });
    const other = await linkTo(all, { key: "acme" });
    const own = sender(api, await api.key({ name: "page", scopes: ["read", "links"] }));
    const { id, url } = await linkTo(own, {});
    assert.equal((await api.request(url)).status, 200);
    assert.deepEqual(
      (await own("GET", "?key=acme")).json.links.map((link: { id: string; key: string }) => [link.id, link.key]),
      [[id, "page"]],
    );
    assert.equal((await own("DELETE", `/${other.id}`)).status, 404);
    assert.equal((await own("POST", "", { url: list, key: "acme" })).json.code, "request.members");
    assert.equal((await own("DELETE", `/${id}`)).status, 200);
    const reader = sender(api, await api.key({ name: "reader" }));
    assert.equal((await reader("POST", "", { url: list })).json.code, "key.scope");
  });

  test("a link ends when its key is revoked or expires, also if the name is used again, but not when it is rotated", async (api) => {
    await hasOne(api);
    const send = await operator(api);
    const headers = { authorization: `Bearer ${await api.key({ name: "boss", scopes: ["admin"] })}` };
    await api.key({ name: "acme" });
    await api.key({ name: "brief", expires: "2026-01-15" });
    const [lasting, brief] = [await linkTo(send, { key: "acme" }), await linkTo(send, { key: "brief" })];
    const rotated = { method: "POST", headers, body: '{"grace_hours":0}' };
    assert.equal((await api.request("/admin/v1/keys/acme/rotate", rotated)).status, 201);
    for (const { url } of [lasting, brief]) assert.equal((await api.request(url)).status, 200);
    api.clock.now = testNow + 86_400;
    await isDead(api, brief.url);
    assert.equal((await api.request("/admin/v1/keys/acme", { method: "DELETE", headers })).status, 200);
    await isDead(api, lasting.url);
    await api.key({ name: "acme" });
    await isDead(api, lasting.url);
  });

  test("terms of the key apply, as they are at the time of the request", async (api) => {
    await hasOne(api);
    const send = await operator(api);
    await api.key({ name: "acme", quota: 2 });
    const { url } = await linkTo(send, { key: "acme" });
    assert.equal((await api.request(url)).headers["x-ratelimit-remaining"], "1");
    await api.store.updateKey("acme", { resources: ["news"] }, testNow);
    assert.equal((await api.request(url)).json.code, "key.resource");
    assert.equal((await api.request(url)).json.code, "limit.quota");
  });

  test("a URL, a key, or a name that can't be used is rejected with every reason", async (api) => {
    const send = await operator(api);
    await api.key({ name: "acme", resources: ["news"] });
    await api.key({ name: "writer", scopes: ["write"] });
    const reasons = async (input: object) => {
      const { json } = await send("POST", "", input);
      return json.errors.map(({ parameter, expected }: Record<string, string>) => `${parameter}: ${expected}`);
    };
    const urlExpected = "url: the URL of a list, such as /api/v2.1/calendar/earnings?parameters[tickers]=AAPL";
    assert.deepEqual(await reasons({ url: "/api/v2/weather", key: "nobody", name: 5, when: 1 }), [
      "when: one of url, name, key",
      "name: text of at most 200 characters that doesn't contain a key",
      "key: the name of a valid key",
      urlExpected,
    ]);
    assert.deepEqual(await reasons({ url: list, key: "acme" }), ["key: a key that may read ratings"]);
    assert.deepEqual(await reasons({ url: list, key: "writer" }), ['key: a key with the scope "read"']);
    assert.deepEqual(await reasons({ url: "/api/v2/news?cusips=037833100", key: "acme" }), [
      'key: a key with the license "cusip", for cusips',
    ]);
    assert.deepEqual(await reasons({ url: "/api/v2/news?pageSize=0&tickrs=A", key: "acme" }), [
      "pageSize: an integer from 1 to 100",
      "tickrs: a parameter of the list",
    ]);
    assert.deepEqual(await reasons({ url: "/api/v2/news?tickrs=A", key: "acme" }), ["tickrs: a parameter of the list"]);
    assert.deepEqual(await reasons({ url: "/api/v2/news?token=bw_x", key: "acme" }), [
      "url: the URL of a list without a token",
    ]);
    assert.deepEqual(await reasons({ url: "/api/v2/news/5", key: "acme" }), [urlExpected]);
  });

  test("a token works only with its file name, and is no key", async (api) => {
    await hasOne(api);
    const { url } = await linkTo(await operator(api), { key: (await api.key({ name: "acme" })) && "acme" });
    const token = url.split("/")[2] ?? "";
    for (const wrong of [
      `/links/${token}/ratings.ics`,
      `/links/${token}`,
      `/links/${token}/`,
      `${url}/x`,
      "/links/x/y",
    ])
      await isDead(api, wrong);
    await isDead(
      api,
      url.replace(/.(?=\/ratings)/, (letter) => (letter === "a" ? "b" : "a")),
    );
    assert.equal((await api.request(`${list}&token=${token}`)).json.code, "key.unknown");
    assert.equal((await api.request(url, { method: "DELETE" })).status, 405);
  });
});
