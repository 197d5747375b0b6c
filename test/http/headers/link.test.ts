// The URL of the next page: the request as sent, without what doesn't belong there.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import fc from "fast-check";
import { parseQuery } from "../../../src/core/query/query-string.ts";
import { listUrls, nextLink } from "../../../src/http/headers/link.ts";
import { generateKey } from "../../../src/keys/key.ts";
import { runs } from "../../support/budget.ts";
import { resourceNamed } from "../../support/clients/api.ts";
import { listening } from "../../support/clients/listening.ts";
import { seed } from "../../support/records/records.ts";
import { rowsOf } from "../../support/requests/requests.ts";

const link = (query: string): string => nextLink(listUrls("/api/v2/news", query), "1abc");
const to = (query: string): string => `</api/v2/news?${query}>; rel="next"`;

describe("the next link", () => {
  test("is the request with a cursor appended", () => {
    assert.equal(link(""), to("cursor=1abc"));
    assert.equal(link("tickers=F"), to("tickers=F&cursor=1abc"));
  });

  test("repeats parameters as sent, including unknown and repeated ones, in their order", () => {
    const query = "b=%41&parameters%5bx%5D=1,+2&parameters[y]=%2C&a&b=;/?:@!$'()*~|^`{}\\&pageSize=05";
    assert.equal(link(query), to(`${query}&cursor=1abc`));
  });

  test("contains no page, and no cursor except the new one, however their names were encoded", () => {
    assert.equal(link("page=3&a=1&cursor=1x&p%61ge=&curso%72=1y&Page=2&pages=4"), to("a=1&Page=2&pages=4&cursor=1abc"));
    assert.equal(link("&&page=0&"), to("cursor=1abc"));
  });

  test("contains no token, however its name was written, and no key under any other name", () => {
    const key = generateKey();
    for (const secret of [
      ...["token=x", "%74oken=x", "token", "+token+=x", "Token=x", "TOKEN%20=x"],
      ...[
        `token=${key}`,
        `key=${key}`,
        `tickers=F,${key}`,
        `${key}`,
        `${key}=1`,
        `a=b%77_${key.slice(3)}`,
        `a=%62w%5F${key.slice(3)}`,
      ],
    ]) {
      assert.equal(link(`a=1&${secret}&b=2`), to("a=1&b=2&cursor=1abc"), secret);
    }
  });

  test("encodes characters that would end the URL or are invalid in a header", () => {
    assert.equal(link('a=<b>"#'), to("a=%3Cb%3E%22%23&cursor=1abc"));
    assert.equal(link("a=é😀\r\n\t \x7f"), to("a=%C3%A9%F0%9F%98%80%0D%0A%09%20%7F&cursor=1abc"));
    assert.equal(link("a=\ud800"), to("a=%EF%BF%BD&cursor=1abc"));
  });

  test("repeats any request", () => {
    const pair = fc
      .tuple(
        fc.string({ unit: "grapheme", maxLength: 5 }),
        fc.string({ unit: "binary-ascii", maxLength: 8 }),
        fc.boolean(),
      )
      .map(([name, value, raw]) =>
        raw ? `${name}=${value}` : `${encodeURIComponent(name)}=${encodeURIComponent(value)}`,
      );
    const property = fc.property(fc.array(pair, { maxLength: 6 }), (pairs) => {
      const query = pairs.join("&");
      const before = parseQuery(query);
      fc.pre(before.errors.length === 0);
      const made = link(query);
      assert.match(made, /^<\/api\/v2\/news\?[!$-;=?-~]*>; rel="next"$/);
      const { query: after, errors } = parseQuery(made.slice(made.indexOf("?") + 1, made.indexOf(">")));
      assert.deepEqual(errors, []);
      assert.deepEqual(after, new Map([...before.query, ["cursor", ["1abc"]]]));
    });
    fc.assert(property, { seed, numRuns: runs(100, 500) });
  });

  test("is sent over a socket, on fresh and cached responses, and can be followed with only the key added", () =>
    listening(async ({ request, key, store }) => {
      const news = resourceNamed("news");
      const rows = rowsOf(
        news,
        [1, 2, 3].map((id) => ({ id, title: "t", created: id })),
      );
      await store.put(
        news,
        rows.map((row) => ({ row, stamped: false })),
      );
      const token = await key();
      for (const method of ["GET", "HEAD", "GET", "GET", "HEAD"]) {
        const { headers } = await request(`/api/v2/news?token=${token}&pageSize=1&x=%3C`, {}, method);
        const next =
          /^<(\/api\/v2\/news\?pageSize=1&x=%3C&cursor=[\w-]+)>; rel="next"$/.exec(headers.link ?? "")?.[1] ?? "";
        const second = await request(next, { authorization: `Bearer ${token}` });
        assert.deepEqual([second.status, second.json[0].id], [200, 2], method);
        assert.equal((await request(next)).status, 401);
      }
    }));
});
