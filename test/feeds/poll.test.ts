// Polling a feed over real HTTP: what becomes news, what stays unchanged, and what survives.
import assert from "node:assert/strict";
import { gzipSync } from "node:zlib";
import { sharingEveryStore } from "../support/stores/every-store.ts";
import { openTestStore } from "../support/stores/stores.ts";
import { feedServer, inShort, item, rss, visitWith } from "./feed-server.ts";

const everything = "/api/v2/news?displayOutput=full&pageSize=100";

sharingEveryStore("feeds", (test) => {
  test("an RSS 2.0 item becomes a news item with all of its data", (api) =>
    feedServer(async (server) => {
      await api.has("ratings", [{ id: "a", ticker: "AAPL" }]);
      server.give(
        rss(
          `<item><guid isPermaLink="false">g1</guid><title>Apple (NASDAQ: AAPL) &amp;amp; &lt;b&gt;friends&lt;/b&gt; rise</title>
           <link>/stories/1</link><pubDate>Tue, 05 Nov 2024 09:30:00 EST</pubDate><dc:creator>Dana Whitlock</dc:creator>
           <category>Earnings</category><category>iPhone</category>
           <description>Short &lt;i&gt;words&lt;/i&gt;</description>
           <content:encoded><![CDATA[<p>Long <a href="/more">words</a></p><script>alert(1)</script>]]></content:encoded>
           <media:content url="/large.png" medium="image" width="1200"/><media:thumbnail url="https://img.example/t.png"/>
           <enclosure url="/sound.mp3" type="audio/mpeg" length="1"/></item>`,
          "<category>Markets</category>",
        ),
      );
      const visited = await visitWith(api, server.url, { channel: "My feed" });
      assert.equal(inShort(visited), "1 created, 0 updated, 0 unchanged");
      const [{ id, ...found }] = await api.get(everything);
      assert.ok(Number.isInteger(id) && id >= 1 && id <= 4_294_967_295);
      assert.deepEqual(found, {
        author: "Dana Whitlock",
        body: '<p>Long <a href="https://news.example/more">words</a></p>',
        channels: ["My feed", "Markets", "Earnings", "iPhone"].map((name) => ({ name })),
        created: "Tue, 05 Nov 2024 09:30:00 -0500",
        image: [
          { size: "large", url: "https://news.example/large.png" },
          { size: "thumb", url: "https://img.example/t.png" },
        ],
        stocks: [{ exchange: "NASDAQ", name: "AAPL" }],
        tags: [{ name: "Earnings" }, { name: "iPhone" }],
        teaser: "Short <i>words</i>",
        title: "Apple (NASDAQ: AAPL) & friends rise",
        updated: "Thu, 15 Jan 2026 07:00:00 -0500",
        url: "https://news.example/stories/1",
      });
      assert.deepEqual(await api.ids("/api/v2/news?tickers=AAPL&channels=markets&content_types=feed"), [id]);
    }));

  test("an unchanged item writes nothing, a changed one is updated under its ID, and one that vanished stays", (api) =>
    feedServer(async (server) => {
      server.give(rss(item("1", "<title>One</title>") + item("2", "<title>Two</title>")));
      assert.equal(inShort(await visitWith(api, server.url)), "2 created, 0 updated, 0 unchanged");
      const [first, lastChange] = [await api.get(everything), await api.store.lastPosition()];
      api.clock.now += 3600;
      assert.equal(inShort(await visitWith(api, server.url)), "0 created, 0 updated, 2 unchanged");
      assert.deepEqual([await api.get(everything), await api.store.lastPosition()], [first, lastChange]);
      server.give(rss(item("1", "<title>One, corrected</title>")));
      assert.equal(inShort(await visitWith(api, server.url)), "0 created, 1 updated, 0 unchanged");
      const titles = Object.fromEntries(
        (await api.get(everything)).map((each: { id: number; title: string }) => [each.title, each.id]),
      );
      const before = Object.fromEntries(first.map((each: { id: number; title: string }) => [each.title, each.id]));
      assert.deepEqual(titles, { "One, corrected": before.One, Two: before.Two });
      assert.deepEqual(await api.ids(`/api/v2/news?updatedSince=${api.clock.now}`), [before.One]);
    }));

  test("an item without a date gets the time it was first seen, and keeps it", (api) =>
    feedServer(async (server) => {
      const undated = (title: string) => `<item><guid>u</guid><title>${title}</title></item>`;
      server.give(rss(undated("One")));
      await visitWith(api, server.url);
      const [{ created }] = await api.get(everything);
      assert.equal(created, "Thu, 15 Jan 2026 07:00:00 -0500");
      api.clock.now += 86_400;
      assert.equal(inShort(await visitWith(api, server.url)), "0 created, 0 updated, 1 unchanged");
      server.give(rss(undated("Two")));
      await visitWith(api, server.url);
      const [changed] = await api.get(everything);
      assert.deepEqual([changed.title, changed.created], ["Two", created]);
    }));

  test("an invalid or future date is replaced with the time it was first seen; a corrected one is used", (api) =>
    feedServer(async (server) => {
      const dated = (date: string) => rss(`<item><guid>d</guid><title>T</title><pubDate>${date}</pubDate></item>`);
      const createdBy = async (date: string) => {
        server.give(dated(date));
        await visitWith(api, server.url);
        return (await api.get(everything))[0].created;
      };
      const sight = "Thu, 15 Jan 2026 07:00:00 -0500";
      assert.equal(await createdBy("yesterday"), sight);
      api.clock.now += 600;
      assert.equal(await createdBy("Fri, 01 Jan 2100 00:00:00 GMT"), sight);
      assert.equal(await createdBy("Thu, 15 Jan 2026 12:05:00 GMT"), sight, "after the first sight");
      assert.equal(await createdBy("Thu, 15 Jan 2026 11:00:00 GMT"), "Thu, 15 Jan 2026 06:00:00 -0500");
    }));

  test("an unchanged feed isn't downloaded again, unless its items would be imported differently", (api) =>
    feedServer(async (server) => {
      const modified = "Tue, 05 Nov 2024 14:30:00 GMT";
      server.respond((request, response) => {
        if (request.headers["if-none-match"] === '"v1"' && request.headers["if-modified-since"] === modified)
          response.writeHead(304).end();
        else response.writeHead(200, { etag: '"v1"', "last-modified": modified }).end(rss(item("1")));
      });
      assert.equal(inShort(await visitWith(api, server.url)), "1 created, 0 updated, 0 unchanged");
      assert.equal(inShort(await visitWith(api, server.url)), "same");
      assert.equal(inShort(await visitWith(api, server.url, { channel: "New" })), "0 created, 1 updated, 0 unchanged");
      assert.equal(inShort(await visitWith(api, server.url, { channel: "New" })), "same");
      assert.equal(inShort(await visitWith(api, `${server.url}?other`)), "1 created, 0 updated, 0 unchanged");
    }));

  test("a feed that was read but not written is downloaded in full again", (api) =>
    feedServer(async (server) => {
      const lost = await openTestStore(api.file, () => api.clock.now);
      server.respond((_, response) => {
        void lost.close().then(() => response.writeHead(200, { etag: '"v1"' }).end(rss(item("1"))));
      });
      await assert.rejects(visitWith({ ...api, store: lost }, server.url));
      server.give(rss(item("1")), { etag: '"v1"' });
      assert.equal(inShort(await visitWith(api, server.url)), "1 created, 0 updated, 0 unchanged");
      assert.equal(server.requests[1]?.headers["if-none-match"], undefined);
    }));

  test("an item that can't be news is rejected with its reason, and the others are stored", (api) =>
    feedServer(async (server) => {
      const rejected: string[] = [];
      server.give(
        rss(`${item("empty", "<description> </description>")}${item("nul", "<title>a\0b</title>")}${item("good")}`),
      );
      const visited = await visitWith(api, server.url, { rejected });
      assert.equal(inShort(visited), "1 created, 0 updated, 0 unchanged");
      assert.deepEqual(rejected, [
        "empty: expected a title or a text, got neither",
        'nul: title: expected text, got "a\\u0000b"',
      ]);
    }));

  test("an item without a title is named by the beginning of its text", (api) =>
    feedServer(async (server) => {
      server.give(rss(item("1", `<description>&lt;p&gt;${"word ".repeat(60)}&lt;/p&gt;</description>`)));
      await visitWith(api, server.url);
      const [{ title }] = await api.get(everything);
      assert.match(title, /^(word ){10,}word…$/);
      assert.ok(title.length <= 120);
    }));

  test("the first of two identical items counts; items are identified by guid, then link, then text", (api) =>
    feedServer(async (server) => {
      server.give(
        rss(
          `${item("1", "<title>Newer</title>")}${item("1", "<title>Older</title>")}
           <item><title>By link</title><link>https://news.example/2</link></item>
           <item><title>By words</title></item>`,
        ),
      );
      assert.equal(inShort(await visitWith(api, server.url)), "3 created, 0 updated, 0 unchanged");
      const titles = (await api.get(everything)).map(({ title }: { title: string }) => title).sort();
      assert.deepEqual(titles, ["By link", "By words", "Newer"]);
      api.clock.now += 60;
      assert.equal(inShort(await visitWith(api, server.url)), "0 created, 0 updated, 3 unchanged");
    }));

  test("only known securities are recognized: from calendars or other news, and only by ticker mentions", (api) =>
    feedServer(async (server) => {
      await api.has("dividends", [{ id: "d", ticker: "brk.b" }]);
      await api.has("news", [{ id: 1, stocks: [{ name: "F" }], created: 1 }]);
      server.give(
        rss(
          item(
            "1",
            "<title>$F and NYSE:BRK/B, but not $ZZZZ; F, BRK.B and Ford cost $5</title><category>Nasdaq:F</category>",
          ),
        ),
      );
      await visitWith(api, server.url);
      const [{ stocks }] = await api.get(everything);
      assert.deepEqual(stocks, [
        { exchange: "NASDAQ", name: "F" },
        { exchange: "NYSE", name: "BRK.B" },
      ]);
    }));

  test("a compressed feed with another charset is read", (api) =>
    feedServer(async (server) => {
      const text = rss(item("1", "<title>Café – 株価</title>")).replace("UTF-8", "Shift_JIS");
      const japanese = Buffer.from([0x8a, 0x94, 0x89, 0xbf]);
      const [before = "", after = ""] = text.replace("Café – ", "").split("株価");
      server.give(gzipSync(Buffer.concat([Buffer.from(before), japanese, Buffer.from(after)])), {
        "content-encoding": "gzip",
      });
      await visitWith(api, server.url);
      assert.equal((await api.get(everything))[0].title, "株価");
    }));

  test("a document that isn't a feed, is malformed, or is truncated fails with a reason and changes nothing", (api) =>
    feedServer(async (server) => {
      for (const [document, reason] of [
        ["<!doctype html><title>Not found</title>", /neither RSS nor Atom/],
        ["", /neither RSS nor Atom/],
        ['{"version":"https://jsonfeed.org/version/1.1","title":"J","items":[]}', /neither RSS nor Atom/],
        [rss(item("1")).replace("</channel></rss>", ""), /the feed is truncated/],
        [rss(item("1", "<title>Cut</titel>")), /invalid XML/],
        [rss(item("1", "<a>".repeat(5000))), /invalid XML/],
      ] as const) {
        server.give(document);
        assert.match(inShort(await visitWith(api, server.url)), reason);
      }
      assert.deepEqual(await api.ids(everything), []);
    }));

  test("a document that would keep a parser busy for hours is abandoned", (api) =>
    feedServer(async (server) => {
      server.give(rss(item("1", `<title>T</title><author>${"(".repeat(2_000_000)}</author>`)));
      const visited = await visitWith(api, server.url, { reading: { seconds: 0.2, megabytes: 512 } });
      assert.equal(inShort(visited), "failed: it took more than 0.2 s to parse");
    }));

  test("a document that would exhaust memory is abandoned", (api) =>
    feedServer(async (server) => {
      server.give(rss("<item><a/><b/><c/></item>".repeat(200_000)));
      const visited = await visitWith(api, server.url, { reading: { seconds: 600, megabytes: 16 } });
      assert.equal(inShort(visited), "failed: it took too much memory to parse");
    }));
});
