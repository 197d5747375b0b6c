// Problem documents: their members in JSON and XML, which client gets which, and no token in them or in the log.
import assert from "node:assert/strict";
import { XMLParser, XMLValidator } from "fast-xml-parser";
import { generateKey } from "../../../src/keys/key.ts";
import type { Api } from "../../support/clients/api.ts";
import { onEveryStore } from "../../support/stores/every-store.ts";

const bad = "/api/v2/news?pageSize=1000&sort=created&tickers=AAPL";

onEveryStore("problem documents", (test) => {
  test("have type, title, status, detail, code, errors, and request_id, and nothing else", async (api) => {
    const found = await api.fetch(bad);
    assert.equal(found.headers["content-type"], "application/problem+json; charset=utf-8");
    assert.deepEqual(found.json, {
      type: "/docs/problems#request.parameters",
      title: "Invalid parameters",
      status: 400,
      detail: "2 invalid parameters.",
      code: "request.parameters",
      errors: [
        { parameter: "pageSize", given: "1000", expected: "an integer from 1 to 100" },
        {
          parameter: "sort",
          given: "created",
          expected: "one of id:asc, id:desc, created:asc, created:desc, updated:asc, updated:desc",
        },
      ],
      request_id: found.headers["x-request-id"],
    });
  });

  test("always have a list of errors, possibly empty", async (api) => {
    for (const url of ["/api/v2/news", "/nowhere", "/api/v2/news?token=wrong"]) {
      const found = await api.request(url);
      assert.deepEqual(found.json.errors, [], url);
      assert.deepEqual(
        Object.keys(found.json).sort(),
        ["code", "detail", "errors", "request_id", "status", "title", "type"],
        url,
      );
      assert.equal(found.json.status, found.status, url);
    }
  });

  test("link to a page that explains their code", async (api) => {
    const { json } = await api.fetch(bad);
    const [page, fragment] = json.type.split("#");
    const found = await api.request(page);
    assert.equal(found.status, 200);
    assert.ok(found.text.includes(`id="${fragment}"`), fragment);
  });

  test("are not cacheable", async (api) => {
    assert.equal((await api.fetch(bad)).headers["cache-control"], "no-store");
  });

  test("carry no ETag or encoding of the response they replace", async (api) => {
    const found = await api.fetch("/api/v2/news?importance=x&nonsense=1", { "accept-encoding": "gzip" });
    assert.deepEqual(
      [found.status, found.headers.etag, found.headers["content-encoding"]],
      [400, undefined, undefined],
    );
  });
});

/** The media type of the problem for an Accept header. */
async function problemFor(api: Api, accept: string, url = bad): Promise<string | undefined> {
  const found = await api.fetch(url, { accept });
  assert.ok(found.status >= 400, `${url} returned ${found.status}`);
  return found.headers["content-type"]?.split(";")[0];
}

onEveryStore("the format of a problem", (test) => {
  test("is JSON for every client that accepts JSON, even if it prefers XML", async (api) => {
    for (const accept of [
      "",
      "*/*",
      "application/json",
      "application/json, application/xml",
      "application/json;q=0.1, application/xml",
      "application/xml, */*;q=0.1",
      "application/*",
      "application/problem+json, application/xml",
      "application/xml;q=0",
    ]) {
      assert.equal(await problemFor(api, accept), "application/problem+json", `"${accept}"`);
    }
  });

  test("is XML for a client that accepts XML but not JSON", async (api) => {
    for (const accept of [
      "application/xml",
      "text/xml",
      "application/xml;q=0.1, text/html",
      "application/xml, application/json;q=0",
      "application/json;q=0, */*",
      "application/problem+xml",
      "application/xml, application/problem+json;q=0",
    ]) {
      assert.equal(await problemFor(api, accept), "application/problem+xml", accept);
    }
  });

  test("is JSON for a client that accepts neither", async (api) => {
    assert.equal(await problemFor(api, "text/html"), "application/problem+json");
  });

  test("follows the same rule for every kind of problem", async (api) => {
    for (const url of ["/nowhere", "/api/v2/news?token=a&token=b", "/api/v2.1/calendar/ratings", "/api/v2/%zz"]) {
      assert.equal(await problemFor(api, "text/xml", url), "application/problem+xml", url);
      assert.equal(
        await problemFor(api, "text/plain", url.replace("ratings", "ratings?page=x")),
        "application/problem+json",
      );
    }
  });
});

onEveryStore("problems in XML", (test) => {
  test("have the same members as in JSON, laid out as in RFC 9457", async (api) => {
    const found = await api.fetch(bad, { accept: "application/xml" });
    assert.equal(found.headers["content-type"], "application/problem+xml; charset=utf-8");
    assert.equal(XMLValidator.validate(found.text), true);
    const { problem } = new XMLParser({ ignoreAttributes: false }).parse(found.text);
    const json = (await api.fetch(bad)).json;
    assert.equal(problem["@_xmlns"], "urn:ietf:rfc:7807");
    assert.deepEqual(
      problem.errors.i,
      json.errors.map((each: Record<string, string>) => ({
        ...each,
        given: each.given === "1000" ? 1000 : each.given,
      })),
    );
    for (const name of ["type", "title", "status", "detail", "code"]) assert.equal(problem[name], json[name], name);
    assert.equal(problem.request_id, found.headers["x-request-id"]);
  });

  test("escape received values", async (api) => {
    const found = await api.fetch("/api/v2/news?sort=%3Cb%3E%26%00%01", { accept: "application/xml" });
    assert.equal(XMLValidator.validate(found.text), true);
    assert.match(found.text, /<given>&lt;b&gt;&amp;<\/given>/);
  });

  test("have an empty list if there are no errors", async (api) => {
    const found = await api.request("/nowhere", { headers: { accept: "text/xml" } });
    assert.match(found.text, /<errors><\/errors>/);
  });
});

onEveryStore("tokens in problems and logs", (test) => {
  /** Sends a request and checks that neither the response nor any log line contains the secret. */
  async function keepsSecret(
    api: Api,
    secret: string,
    url: string,
    headers: Record<string, string> = {},
  ): Promise<void> {
    const found = await api.request(url, { headers });
    const all = `${found.text}\n${JSON.stringify(found.headers)}\n${api.log.join("\n")}`;
    assert.ok(!all.includes(secret), `${url} ${JSON.stringify(headers)} disclosed the token:\n${all}`);
  }

  test("never include a valid key, wherever it was sent", async (api) => {
    const key = api.token;
    for (const url of [
      `/api/v2/news?token=${key}`,
      `/api/v2/news?token=${key}&pageSize=x`,
      `/api/v2/news?token=${key}&token=${key}`,
      `/api/v2/news?token=${key}%zz`,
      `/api/v2/news?TOKEN=${key}`,
      `/api/v2/news?%74oken=${key}`,
      `/api/v2/news?tickers=${key}&sort=${key}`,
      `/api/v2/news?sort=%20${key}`,
      `/api/v2/news?url=%2Fnews%3Ftoken%3D${key}`,
      `/api/v2/news?${key}=1&${key}`,
      `/api/v2/news?page=${key.slice(0, 30)}`,
      `/api/v2/news/${key}`,
      `/api/v2/%zz/${key}`,
      `/nowhere?token=${key}`,
      `/api/v2/calendar/ratings?token=${key}`,
      `/api/v2/news?token=${key}#${key}`,
    ]) {
      await keepsSecret(api, key.slice(0, 30), url);
      await keepsSecret(api, key.slice(0, 30), url, { authorization: `Bearer ${key}` });
    }
    for (const authorization of [`Bearer ${key}`, `token ${key}`, `Basic ${key}`, key, `Bearer ${key} ${key}`]) {
      await keepsSecret(api, key, "/api/v2/news", { authorization });
      await keepsSecret(api, key, "/api/v2/news?page=x", { authorization });
      await keepsSecret(api, key, "/api/v2/news?token=other", { authorization });
    }
    for (const header of ["x-request-id", "accept", "if-none-match", "origin", "user-agent"]) {
      await keepsSecret(api, key, "/api/v2/news?page=x", { [header]: key });
    }
    assert.ok(api.log.length > 30, "requests are logged");
  });

  test("never include an unknown key, or any text sent in place of a token", async (api) => {
    for (const secret of [generateKey(), "hunter2-of-another-service"]) {
      for (const url of [
        `/api/v2/news?token=${secret}`,
        `/api/v2/news?page=x&token=${secret}`,
        `/api/v2/news?token=${secret}&token=b`,
        `/api/v2/news?token=${secret}%zz`,
        `/nowhere?a=b&Token=${secret}`,
        `/api/v2/%zz?token=${secret}`,
      ]) {
        await keepsSecret(api, secret, url);
        await keepsSecret(api, secret, url, { authorization: `Bearer ${api.token}` });
        await keepsSecret(api, secret, url, { accept: "text/xml", authorization: `token ${api.token}` });
      }
      await keepsSecret(api, secret, "/api/v2/news", { authorization: `Bearer ${secret}` });
      await keepsSecret(api, secret, `/api/v2/news?token=${api.token}`, { authorization: `Bearer ${secret}` });
    }
  });

  test("include the name of the key in the log", async (api) => {
    const key = await api.key({ name: "quarterly report" });
    await api.request(`/api/v2/news?page=2&token=${key}`);
    const line = JSON.parse(api.log.at(-1) ?? "");
    assert.deepEqual([line.key, line.status, line.url], ["quarterly report", 200, "/api/v2/news?page=2&token=…"]);
  });
});
