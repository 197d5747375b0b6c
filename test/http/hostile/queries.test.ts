// Malicious requests: invalid input gets a 4xx problem document, unusual but valid values an exact response, and nothing
// gets a 500, a stack trace, or no response.
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import type { Resource } from "../../../src/core/catalog/resource.ts";
import { isUnknownIn } from "../../../src/core/output/format.ts";
import { catalog } from "../../../src/resources/catalog.ts";
import { type Api, type Body, recordsOf, resourceNamed, startApi } from "../../support/clients/api.ts";
import {
  dropSchema,
  postgresDatabase,
  type StoreName,
  sqliteDatabase,
  stores,
  type TestDatabase,
} from "../../support/stores/stores.ts";
import { assertProblem, type Headed } from "./hostile-client.ts";

/** Parameters specified as free text; all others are numbers, days, or choices. */
const freeText = new Set([
  ...["isin", "cusips", "tickers", "primaryTickers", "channels", "topics", "authors", "content_types", "region"],
  ...["parameters[tickers]", "parameters[analyst_id]", "parameters[firm_id]", "analyst", "firm", "event_category"],
]);

/** Text with a meaning in SQL, FTS5, or JavaScript, but none here. */
const meaningful = [
  ...["' or 1=1 --", '"; drop table news; --', "x' union select hash from api_key --", "AAPL') or ('1'='1", "?1", "$1"],
  ...[
    "NEAR(a b, 5)",
    "title : x",
    '{title} : "x"',
    "a AND b OR NOT c",
    "^a",
    "a*",
    "-a",
    '"',
    '"a',
    "(",
    ")",
    "**",
    "%",
  ],
  ...["__proto__", "constructor", "toString", "hasOwnProperty", "null", "undefined", "[object Object]", "a[]", "{}"],
  ...["<script>alert(1)</script>", "../../etc/passwd", "{{7*7}}", "\r\nX-Injected: 1", "\u202ea", "\ufffda", "🂡🂡"],
];

/** Neither an integer nor a decimal. */
const wrongNumbers = ["1e309", "Infinity", "NaN", "0x10", "1_000", "1 0", "٣", "１", "--1", "1.", "9".repeat(10_000)];
const wrongIntegers = [...wrongNumbers, "9007199254740992", "9007199254740993", "18446744073709551616", "-0", "0.5"];

const brokenEncodings = ["%", "%4", "%zz", "a%", "%ff", "%c0%af", "%e2%82", "%ed%a0%80", "%f4%90%80%80", "%u0041"];

const namesOf = (resource: Resource): string[] =>
  resource.rules.flatMap((rule) => Object.values(rule.parameters).flatMap((input) => [...input.names]));

const query = (name: string, value: string): string => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`;

function assertMistake(found: Headed, parameter: string, received: string): void {
  const { code, errors } = assertProblem(found, `${parameter}=${received.slice(0, 40)}`);
  assert.equal(code, "request.parameters");
  assert.deepEqual(
    errors.map((error: Body) => [error.parameter, error.given]),
    [[parameter, echoOf(parameter, received)]],
  );
}

/** How much of a value is echoed, by parameter name; the first input with a name counts. */
const echoLengths = new Map(
  catalog
    .flatMap(({ rules }) => rules.flatMap((rule) => Object.values(rule.parameters)))
    .flatMap(({ names, echoLimit }) => names.map((name) => [name, echoLimit] as const))
    .reverse(),
);

/** The whole value is echoed, or its beginning if the input limits it. */
function echoOf(parameter: string, received: string): string {
  const length = echoLengths.get(parameter) ?? received.length;
  return received.length <= length ? received : `${received.slice(0, length)}…`;
}

function assertNothingFound(resource: Resource, found: Headed, what: string): void {
  assert.equal(found.status, 200, `${what} returned ${found.status}: ${found.text}`);
  assert.equal(found.text, resource.name === "news" ? "[]" : `{"${resource.name}":[]}`, what);
}

for (const store of stores) {
  describe(`hostile queries [${store}]`, () => hostileQueries(store));
}

function hostileQueries(store: StoreName): void {
  let database: TestDatabase;
  let api: Api;
  before(async () => {
    database = store === "postgres" ? await postgresDatabase() : sqliteDatabase();
    api = await startApi({ database: database.name });
    for (const { name } of catalog)
      await api.has(name, [{ id: name === "news" ? 1 : "1", ...(name === "guidance" && { is_primary: "true" }) }]);
  });
  after(async () => {
    const faults = api.log.filter((line) => /"level":"(error|fatal)"/.test(line));
    await api.close();
    await database.release();
    await dropSchema();
    assert.deepEqual(faults, []);
  });

  for (const resource of catalog) {
    const names = namesOf(resource);
    const closed = names.filter((name) => !freeText.has(name));
    const free = names.filter((name) => freeText.has(name));
    const formatsOf = new Map(
      resource.rules.flatMap((rule) =>
        Object.values(rule.parameters).flatMap((input) =>
          input.names.map((name) => [name, isUnknownIn("json", input) ? input.formats?.[0] : undefined]),
        ),
      ),
    );
    // A parameter of another format is known only in that format.
    const request = (name: string, value: string) => {
      const format = formatsOf.get(name);
      return api.fetch(`${resource.path}?${format === undefined ? "" : `output=${format}&`}${query(name, value)}`);
    };

    test(`${resource.name}: SQL, FTS5, and JavaScript match nothing in free text, and are rejected elsewhere`, async () => {
      for (const value of meaningful) {
        // "A topic with no letter or digit is refused", and whitespace around a value doesn't count.
        const wordless = value.split(",").some((topic) => !/[\p{L}\p{N}]/u.test(topic));
        for (const name of names) {
          const found = await request(name, value);
          if (closed.includes(name) || (name === "topics" && wordless)) assertMistake(found, name, value);
          else assertNothingFound(resource, found, `${name}=${value}`);
        }
      }
    });

    test(`${resource.name}: 10,000 characters and NUL are rejected, or match nothing in free text`, async () => {
      for (const value of ["x".repeat(10_000), "9".repeat(10_000), "a\0b", "\0", `A${"\0".repeat(3000)}`]) {
        for (const name of closed) assertMistake(await request(name, value), name, value);
        for (const name of free) {
          const found = await request(name, value);
          if (found.status === 200) assertNothingFound(resource, found, name);
          else assertMistake(found, name, value);
        }
      }
    });

    test(`${resource.name}: numbers out of range are rejected, never rounded`, async () => {
      const inputs = resource.rules.flatMap((rule) => Object.values(rule.parameters));
      for (const { names: spellings, schema } of inputs) {
        const wrong = { integer: wrongIntegers, number: wrongNumbers }[String(schema.type)] ?? [];
        for (const name of spellings) for (const value of wrong) assertMistake(await request(name, value), name, value);
      }
    });

    test(`${resource.name}: malformed percent-encoding and invalid UTF-8 are rejected, in values and in names`, async () => {
      for (const broken of brokenEncodings) {
        for (const name of [...names, "unknown"])
          assertMistake(await api.fetch(`${resource.path}?${encodeURIComponent(name)}=${broken}`), name, broken);
        assertMistake(await api.fetch(`${resource.path}?${broken}=1`), broken, "1");
        assertProblem(await api.fetch(`${resource.path}${broken}`), `path with ${broken}`);
        assertProblem(await api.fetch(`/${broken}${resource.path}`), `path with ${broken}`);
      }
    });

    test(`${resource.name}: prototype property names, nested brackets, and NUL are reported as unknown parameters`, async () => {
      const odd = ["__proto__", "constructor", "toString", "parameters[__proto__]", "parameters[tickers][]", "[", "]"];
      const found = await api.fetch(`${resource.path}?${odd.map((name) => query(name, "1")).join("&")}&%00=1`);
      assert.equal(recordsOf(found.json).length, 1);
      assert.equal(found.headers["x-ignored-parameters"], [...odd, "%00"].join(","));
      const deep = await api.fetch(`${resource.path}?parameters${"[".repeat(6000)}${"]".repeat(6000)}=1`);
      assert.equal(recordsOf(deep.json).length, 1);
      assert.ok((deep.headers["x-ignored-parameters"] ?? "").length <= 1024);
    });

    test(`${resource.name}: 5,000 parameters are rejected, wherever the token is sent`, async () => {
      const many = `${resource.path}?${"a=&".repeat(5000)}`;
      assertProblem(await api.fetch(many), "5,000 parameters");
      const found = await api.request(`${many}token=${api.token}`);
      assert.equal(assertProblem(found, "5,000 parameters").code, "request.parameters");
    });
  }

  test("a hostile token is an unknown token, and appears in no response and no log", async () => {
    for (const token of [...meaningful, "a\0b", "x".repeat(10_000), "%", "secret"]) {
      const found = await api.request(`/api/v2/news?${query("token", token)}`);
      assert.equal(assertProblem(found, token).status, 401);
    }
    for (const broken of brokenEncodings.map((each) => `secret${each}`)) {
      assert.equal(assertProblem(await api.request(`/api/v2/news?token=${broken}`), broken).status, 401);
      assert.equal(assertProblem(await api.fetch(`/api/v2/news?token=${broken}`), broken).status, 400);
      assert.doesNotMatch((await api.fetch(`/api/v2/news?token=${broken}`)).text, /secret/);
      assert.equal(assertProblem(await api.fetch(`/api/v2/news?token=secret&token=${broken}`), broken).status, 400);
    }
    assert.doesNotMatch(api.log.join(""), /secret|drop table/);
  });

  test("all errors of a request are reported at once, including malformed encodings", async () => {
    const found = await api.fetch("/api/v2/news?pageSize=101&%zz=1&authors=%ff&page=-1&sort=__proto__");
    const named = assertProblem(found, "five errors").errors.map((error: Body) => error.parameter);
    assert.deepEqual(named.sort(), ["%zz", "authors", "page", "pageSize", "sort"]);
  });

  test("an unusual value matches exactly the record that contains it", async () => {
    const held = meaningful.filter((value) => value.trim() === value && !value.includes(",") && value !== "{}");
    const at = new Map(held.map((value, index) => [value, index + 100]));
    const stocks = (name: string) => [{ name, isin: name, cusip: name, primary: true }];
    const rest = (value: string) => ({ author: value, content_type: value, regions: [value] });
    await api.has(
      "news",
      held.map((value) => ({ id: at.get(value), channels: [{ name: value }], stocks: stocks(value), ...rest(value) })),
    );
    const ids = (value: string) => ({ id: `odd-${at.get(value)}`, analyst_id: value, firm_id: value, ticker: value });
    await api.has("ratings", held.map(ids));
    const idOf = (resource: string, value: string) => (resource === "news" ? at.get(value) : `odd-${at.get(value)}`);
    for (const resource of ["news", "ratings"]) {
      for (const name of namesOf(resourceNamed(resource)).filter((each) => freeText.has(each) && each !== "topics")) {
        for (const value of held) {
          const found = await api.ids(`${resourceNamed(resource).path}?${query(name, value)}`);
          assert.deepEqual(found, [idOf(resource, value)], `${resource} ${name}=${value}`);
        }
      }
    }
  });

  test("FTS5 syntax in a topic is treated as words", async () => {
    await api.has("news", [
      { id: 900, title: "A and b or not c" },
      { id: 901, title: "b alone" },
      { id: 902, title: "Near a b 5" },
    ]);
    assert.deepEqual(await api.ids(`/api/v2/news?${query("topics", "a AND b OR NOT c")}`), [900]);
    assert.deepEqual(await api.ids(`/api/v2/news?${query("topics", 'NEAR("a" b*')}`), [902]);
    assert.deepEqual(await api.ids(`/api/v2/news?${query("topics", "title : b OR title : a")}`), []);
  });

  test("yields are compared to the last digit, beyond the precision of a double", async () => {
    await api.has("dividends", [{ id: "wide", dividend_yield: "9007199254740993.00000000000000000001" }]);
    const request = (bound: string) => api.ids(`/api/v2.2/calendar/dividends?parameters[dividend_yield]=${bound}`);
    assert.deepEqual(await request("9007199254740993.000000000000000000010"), ["wide"]);
    for (const near of ["9007199254740993", "9007199254740992", "9007199254740993.00000000000000000002"])
      assert.deepEqual(await request(near), []);
  });

  test("lists as long as a URL allows get a response, ranked or not", async () => {
    const long = Array.from({ length: 3900 }, (_, index) => (index + 50).toString(36)).join(",");
    const topics = long.split(",").slice(0, 64).join(",");
    for (const rest of [`channels=${long}&topics=b`, `topics=${topics}`, `topics=${topics}&topic_group_by=and`])
      assert.equal((await api.fetch(`/api/v2/news?${rest}`)).status, 200);
    assertProblem(await api.fetch(`/api/v2/news?topics=${long}`), "more topics than are taken");
    assert.equal((await api.fetch(`/api/v2.1/calendar/ratings?firm=${long}&sort=1`)).status, 200);
    assertProblem(await api.fetch(`/api/v2/news?authors=${"x".repeat(16_384)}`), "an address of more than 16 kB");
  });

  test("unusual headers are honored or rejected", async () => {
    const long = "a/b;q=0.5,".repeat(1500);
    const odd = ["", ",,,;;;", ";q=", "*/*;q=NaN", "a", "application/json;q=2", '"', "\u00ff\u0080", "__proto__", long];
    for (const name of [
      "accept",
      "accept-encoding",
      "if-none-match",
      "if-modified-since",
      "origin",
      "range",
      "cookie",
    ]) {
      for (const value of odd) {
        const found = await api.fetch("/api/v2/news", { [name]: value });
        if (found.status === 200) assert.ok(Array.isArray(found.json));
        else assert.equal(assertProblem(found, `${name}: ${value}`).code, "format.unacceptable");
      }
    }
    assert.equal((await api.fetch("/api/v2/news", { "if-none-match": "*" })).status, 304);
    const keys = [
      "",
      "Bearer",
      "Bearer ",
      "Bearer a b",
      "token\tx",
      "Basic eDp5",
      `Bearer ${"k".repeat(15_000)}`,
      "\u00ff",
    ];
    for (const authorization of [...keys, `Bearer ${api.token}x`, api.token, `Bearer bw_${"0".repeat(38)}`]) {
      const found = await api.request("/api/v2/news", { headers: { authorization } });
      assert.equal(assertProblem(found, `authorization: ${authorization}`).status, 401);
    }
    for (const id of ["<b>", "a b", "x".repeat(65), "__proto__", "%0d%0a", api.token]) {
      const assigned = (await api.fetch("/api/v2/news", { "x-request-id": id })).headers["x-request-id"] ?? "";
      assert.match(assigned, /^[\w.-]{1,64}$/);
      assert.ok(!assigned.includes(api.token));
    }
  });
}
