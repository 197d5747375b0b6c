// Every problem of the catalog occurs over real HTTP, in one shape, and the right one takes precedence.
import assert from "node:assert/strict";
import { connect } from "node:net";
import { describe, test } from "node:test";
import { XMLParser } from "fast-xml-parser";
import { type Code, problems } from "../../src/core/problem.ts";
import { generateKey } from "../../src/keys/key.ts";
import { maxWebhooks } from "../../src/webhooks/webhook-store.ts";
import { openStream } from "../support/clients/event-stream.ts";
import { type Listening, listening, type Reply, read } from "../support/clients/listening.ts";
import { isProblem } from "../support/problem.ts";

/** How to provoke each code; a new code must be added here too. */
const provocations: Record<Code, (service: Listening) => Promise<Reply>> = {
  "request.parameters": async ({ request, key }) => request(`/api/v2/news?page=x&token=${await key()}`),
  "request.tokens": async ({ request, key }) =>
    request(`/api/v2/news?token=${await key()}`, { authorization: `Bearer ${await key()}` }),
  "request.body": (service) => write(service, "not packed", { "content-encoding": "gzip" }),
  "request.members": (service) => administer(service, "POST", "/admin/v1/keys", '{"name":"a","delay_minutes":-1}'),
  "request.malformed": ({ send }) => send("GET /api/v2/news HTTP/1.1\r\nhost: localhost\r\nno colon here\r\n\r\n"),
  "key.missing": ({ request }) => request("/api/v2/news"),
  "key.header": async ({ request, key }) => request(`/admin/v1/records/news?token=${await key()}`, {}, "POST"),
  "key.unknown": ({ request }) => request("/api/v2/news?token=nobody"),
  "key.scope": async ({ request, key }) => request(`/api/v2/news?token=${await key({ scopes: ["write"] })}`),
  "key.license": async ({ request, key }) => request(`/api/v2/news?cusips=037833100&token=${await key()}`),
  "key.resource": async ({ request, key }) => request(`/api/v2/news?token=${await key({ resources: ["ratings"] })}`),
  "key.network": async ({ request, key }) => request(`/api/v2/news?token=${await key({ networks: ["192.0.2.0/24"] })}`),
  "key.origin": async ({ request, key }) =>
    request(`/api/v2/news?token=${await key({ origins: ["https://example.com"] })}`),
  "request.path": ({ request }) => request("/api/v2/weather"),
  "key.absent": (service) => administer(service, "DELETE", "/admin/v1/keys/nobody"),
  "link.absent": (service) => administer(service, "DELETE", "/admin/v1/links/none"),
  "link.unknown": ({ request }) => request("/links/none/news.json"),
  "link.limit": async (service) => {
    const link = {
      key: "test-1",
      name: "",
      list: "news",
      query: "",
      extension: "json",
      created: 1,
      revoked: undefined,
    };
    await service.key();
    for (let at = 0; at < 1000; at++) await service.store.addLink({ ...link, id: `${at}`, hash: `${at}` });
    return administer(service, "POST", "/admin/v1/links", '{"url":"/api/v2/news","key":"test-1"}');
  },
  "key.conflict": (service) => administer(service, "POST", "/admin/v1/keys", '{"name":"test-1"}'),
  "webhook.absent": (service) => administer(service, "DELETE", "/admin/v1/webhooks/wh_0"),
  "webhook.limit": async (service) => {
    const create = () =>
      administer(service, "POST", "/admin/v1/webhooks", '{"url":"https://192.0.2.1","resource":"news"}');
    for (let made = 0; made < maxWebhooks; made++) await create();
    return create();
  },
  "request.method": ({ request }) => request("/api/v2/news", {}, "DELETE"),
  "format.unacceptable": async ({ request, key }) =>
    request(`/api/v2/news?token=${await key()}`, { accept: "image/png" }),
  "request.timeout": lateRequest,
  "request.size": (service) => write(service, " ".repeat(2000)),
  "request.url": ({ request }) => request(`/api/v2/news?x=${"y".repeat(16_384)}`),
  "request.type": (service) => write(service, "id,date", { "content-type": "text/csv" }),
  "changes.gone": async ({ store, request, key }) => {
    const lines = [1, 2].map((seq) => ({ seq, resource: "news", id: `${seq}`, kind: "created", at: 1 }) as const);
    await store.importChanges(lines);
    await store.pruneChanges({ before: 2 }, 10);
    return request("/changes", { authorization: `Bearer ${await key({ scopes: ["replicate"] })}` });
  },
  "stream.gone": async ({ request, key }) =>
    request("/api/v2/news/stream?since=elsewhere.5", { authorization: `Bearer ${await key()}` }),
  "records.refused": (service) => write(service, "[{}]"),
  "request.origin": ({ send }) => {
    const lines = ["GET /api/v1/news/stream HTTP/1.1", "Host: localhost", "Connection: Upgrade", "Upgrade: websocket"];
    return send([...lines, "Origin: https://elsewhere.example", "", ""].join("\r\n"));
  },
  "request.upgrade": ({ request }) => request("/api/v1/news/stream"),
  "limit.rate": async ({ request, key }) => {
    const url = `/api/v2/news?token=${await key({ rate: 0.001, burst: 1 })}`;
    await request(url);
    return request(url);
  },
  "limit.quota": async ({ request, key }) => {
    const url = `/api/v2/news?token=${await key({ quota: 1 })}`;
    await request(url);
    return request(url);
  },
  "limit.streams": async ({ port, request, key }) => {
    const authorization = `Bearer ${await key()}`;
    const stream = await openStream(port, "/api/v2/news/stream", { authorization });
    const rejected = await request("/api/v2/news/stream", { authorization });
    stream.cut();
    return rejected;
  },
  "limit.tokens": async ({ request }) => {
    for (let wrong = 0; wrong < 5; wrong++) await request("/api/v2/news?token=nobody");
    return request("/api/v2/news?token=nobody");
  },
  "request.range": async ({ request, key }) =>
    request("/api/v2.1/bulk/news.parquet", {
      authorization: `Bearer ${await key({ scopes: ["bulk"] })}`,
      range: "bytes=1000000-",
    }),
  "request.headers": ({ request }) => request("/api/v2/news", { "x-large": "y".repeat(40_000) }),
  "server.fault": async ({ store, request, key }) => {
    const token = await key();
    await store.close();
    return request(`/api/v2/news?token=${token}`);
  },
  "server.busy": async ({ request, key }) => request(`/api/v2.1/calendar/ratings?pagesize=1000&token=${await key()}`),
  "server.expensive": async (service) => {
    // The clock is read with every 64th ID.
    const items = Array.from({ length: 20 }, (_, at) => {
      const more = at % 2 === 0 ? '"stocks":[{"name":"EVEN"}]' : '"author":"odd"';
      return `{"id":${(at + 1) * 64},"title":"common","created":1,${more}}`;
    });
    assert.equal((await write(service, `[${items.join()}]`)).status, 200);
    return service.request(`/api/v2/news?topics=common&tickers=EVEN&authors=odd&token=${await service.key()}`);
  },
  "server.unavailable": async ({ drain, request }) => {
    drain();
    return request("/api/v2/news");
  },
};

/** A POST of records with a write key. */
const write = async (service: Listening, body: string, headers: Record<string, string> = {}): Promise<Reply> =>
  sendBody(service, "POST /admin/v1/records/news", body, {
    authorization: `Bearer ${await service.key({ scopes: ["write"] })}`,
    ...headers,
  });

const administer = async (service: Listening, method: string, url: string, body = ""): Promise<Reply> =>
  sendBody(service, `${method} ${url}`, body, { authorization: `Bearer ${await service.key({ scopes: ["admin"] })}` });

async function sendBody(
  { send }: Listening,
  line: string,
  body: string,
  headers: Record<string, string>,
): Promise<Reply> {
  const all = {
    ...{ host: "localhost", connection: "close", "content-type": "application/json" },
    ...{ "content-length": String(body.length), ...headers },
  };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  return send(`${line} HTTP/1.1\r\n${lines.join("")}\r\n${body}`);
}

/** Node checks for late requests only every half minute, so the test emits the event that Node would. */
async function lateRequest({ server, port }: Listening): Promise<Reply> {
  const accepted = new Promise((resolve) => server.once("connection", resolve));
  const socket = connect(port, "127.0.0.1");
  const late = Object.assign(new Error("Request timeout"), { code: "ERR_HTTP_REQUEST_TIMEOUT" });
  server.emit("clientError", late, await accepted);
  return read(socket);
}

describe("problems", () => {
  for (const code of Object.keys(problems) as Code[]) {
    test(`${code} occurs over HTTP, in the standard shape`, () =>
      listening(
        async (service) => {
          const reply = await provocations[code](service);
          isProblem(reply, code);
          const listed = ["request.parameters", "request.members", "records.refused"];
          assert.deepEqual(reply.json.errors.length > 0, listed.includes(code));
          assert.ok(!/bw_\w/.test(reply.text + service.log.join("")), "a key was disclosed");
        },
        undefined,
        {
          ...{ writeLimits: { bytes: 1900 }, wrongTokens: 5, statementSeconds: 0 },
          // No limit recovers between two requests.
          ticks: () => 0,
          corsOrigins: ["https://app.example.com"],
          // No large page leaves the queue.
          protection: { keyStreams: 1, largePages: { concurrency: 0, maxWaiting: 0, timeoutMs: 1 } },
        },
      ));
  }

  test("the URL in the type of a problem explains every one of them", () =>
    listening(async ({ request }) => {
      const { status, text } = await request("/docs/problems");
      assert.equal(status, 200);
      for (const [code, { title }] of Object.entries(problems)) {
        assert.ok(text.includes(`id="${code}"`) && text.includes(title), `${code} is not explained`);
      }
    }));
});

describe("statuses", () => {
  test("the first of several problems is reported: path, method, token, format, license, parameters", () =>
    listening(async ({ request, key }) => {
      const [licensed, plain] = [await key({ licenses: ["cusip"] }), await key()];
      const order: readonly Code[] = [
        "request.path",
        "request.method",
        "key.missing",
        "format.unacceptable",
        "key.license",
        "request.parameters",
      ];
      for (let faults = 0; faults < 2 ** order.length; faults++) {
        const [path, method, token, format, license, parameters] = order.map((_, index) => (faults & (2 ** index)) > 0);
        const query = [
          "cusips=037833100",
          ...(token ? [] : [`token=${license ? plain : licensed}`]),
          ...(parameters ? ["pageSize=0"] : []),
        ];
        const url = `/api/${path ? "v3" : "v2"}/news?${query.join("&")}`;
        const reply = await request(
          url,
          { accept: format ? "image/png" : "application/json" },
          method ? "POST" : "GET",
        );
        // Without a token there is no license either; that changes nothing, since the token is checked first.
        const first = order.find((_, index) => (faults & (2 ** index)) > 0);
        if (first === undefined) assert.deepEqual([reply.status, reply.text], [200, "[]"]);
        else isProblem(reply, first);
      }
    }));

  test("unknown, expired, and revoked tokens get the same response, before anything else is checked", () =>
    listening(async ({ request, key, store }) => {
      const revoked = await key();
      const [{ name = "" } = {}] = await store.listKeys();
      await store.revokeKey(name, 1);
      const expired = await key({ expires: "2026-01-14" });
      const lastDay = await key({ expires: "2026-01-15" });
      assert.equal((await request(`/api/v2/news?token=${lastDay}`)).status, 200);
      const replies = await Promise.all(
        [revoked, expired, generateKey(), "nobody", "bw_1"].map((token) =>
          request(`/api/v2/news?page=x&cusips=1&token=${token}`, { accept: "image/png", "x-request-id": "same" }),
        ),
      );
      for (const reply of replies) {
        isProblem(reply, "key.unknown");
        assert.equal(reply.text, replies[0]?.text);
        assert.match(String(reply.headers["www-authenticate"]), /^Bearer/);
      }
    }));

  test("a wrong method gets the allowed ones, a wrong version the correct path", () =>
    listening(async ({ request }) => {
      for (const method of ["POST", "PUT", "PATCH", "DELETE", "OPTIONS", "PROPFIND"]) {
        const reply = await request("/api/v2.1/calendar/ratings/", {}, method);
        isProblem(reply, "request.method");
        assert.equal(reply.headers.allow, "GET, HEAD");
      }
      const reply = await request("/api/v2/calendar/ratings");
      isProblem(reply, "request.path");
      assert.match(reply.json.detail, /\/api\/v2\.1\/calendar\/ratings/);
    }));

  test("a URL of 16,384 bytes is accepted, one byte more is not", () =>
    listening(async ({ request, key }) => {
      const start = `/api/v2/news?token=${await key()}&x=`;
      assert.equal((await request(start.padEnd(16_384, "y"))).status, 200);
      isProblem(await request(start.padEnd(16_385, "y")), "request.url");
    }));

  test("requests that are not HTTP, or whose path isn't valid percent-encoding, are malformed", () =>
    listening(async ({ send, request }) => {
      isProblem(await request("/api/v2/%ZZ"), "request.malformed");
      isProblem(await request("/api/%C3%28/news"), "request.malformed");
      for (const bytes of [
        "hello\r\n\r\n",
        "FETCH /api/v2/news HTTP/1.1\r\nhost: localhost\r\n\r\n",
        "GET /api/v2/news HTTP/9.9\r\nhost: localhost\r\n\r\n",
        "GET /api/v2/news HTTP/1.1\r\nhost: localhost\r\ncontent-length: x\r\n\r\n",
      ]) {
        isProblem(await send(bytes), "request.malformed");
      }
    }));

  test("a client that accepts XML but not JSON gets problems in XML", () =>
    listening(async ({ request, key }) => {
      const url = `/api/v2/news?page=%3Cx%3E&pageSize=0&token=${await key()}`;
      const reply = await request(url, { accept: "application/xml", "x-request-id": "abc" });
      assert.equal(reply.status, 400);
      assert.equal(reply.headers["content-type"], "application/problem+xml; charset=utf-8");
      const { problem } = new XMLParser({ isArray: (name) => name === "i", parseTagValue: false }).parse(reply.text);
      const { title, status, code, errors, request_id } = problem;
      assert.deepEqual([title, status, code, request_id], ["Invalid parameters", "400", "request.parameters", "abc"]);
      assert.deepEqual(errors.i, [
        { parameter: "page", given: "<x>", expected: "an integer from 0 to 100000" },
        { parameter: "pageSize", given: "0", expected: "an integer from 1 to 100" },
      ]);
    }));
});
