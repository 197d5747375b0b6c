// Decision 054: formats other than JSON and XML, by `output` or by the Accept header.
import assert from "node:assert/strict";
import { readingEveryStore } from "../../support/stores/every-store.ts";

readingEveryStore("output", (test) => {
  test("selects the format, whatever the Accept header says", async (api) => {
    const typeOf = async (query: string, accept: string) =>
      (await api.fetch(`/api/v2/news${query}`, { accept })).headers["content-type"];
    for (const accept of ["", "*/*", "application/json", "application/xml", "text/html", "image/png", "text/csv;q=0"]) {
      assert.equal(await typeOf("?output=csv", accept), "text/csv; charset=utf-8", accept);
      assert.equal(await typeOf("?output=ndjson", accept), "application/x-ndjson; charset=utf-8", accept);
      assert.equal(await typeOf("?output=xml", accept), "application/xml; charset=utf-8", accept);
      assert.equal(await typeOf("?output=json", accept), "application/json; charset=utf-8", accept);
    }
    assert.equal((await api.fetch("/api/v2/news?output=", { accept: "image/png" })).status, 406);
  });

  test("names the file that a response is saved as, for formats that are opened as files", async (api) => {
    const nameOf = async (path: string) => (await api.fetch(path)).headers["content-disposition"];
    assert.equal(await nameOf("/api/v2/news"), undefined);
    assert.equal(await nameOf("/api/v2/news?output=xml"), undefined);
    assert.equal(await nameOf("/api/v2/news?output=atom"), 'inline; filename="news.atom"');
    assert.equal(await nameOf("/api/v2/news?output=csv"), 'inline; filename="news.csv"');
    assert.equal(await nameOf("/api/v2.1/calendar/ratings?output=ndjson&limit=9"), 'inline; filename="ratings.ndjson"');
    assert.equal(await nameOf("/api/v2.1/calendar/earnings/a?output=ics"), 'inline; filename="earnings-item.ics"');
    assert.equal(await nameOf("/api/v2.1/calendar/ratings?output=csv&page=x"), undefined);
  });

  test("accepts only formats of the list, and reports an invalid one with all other errors", async (api) => {
    assert.deepEqual(await api.errors("/api/v2.1/calendar/ratings?output=xml&page=x"), [
      { parameter: "page", given: "x", expected: "an integer from 0 to 100000" },
      { parameter: "output", given: "xml", expected: "one of json, csv, ndjson, ics" },
    ]);
    assert.equal((await api.errors("/api/v2/news?output=CSV"))[0]?.given, "CSV");
    assert.equal((await api.errors("/api/v2/news?output=csv&output=json"))[0]?.expected, "to be sent once");
    // The format of an error doesn't depend on it.
    const { headers } = await api.fetch("/api/v2/news?output=csv&page=x");
    assert.equal(headers["content-type"], "application/problem+json; charset=utf-8");
  });

  test("is rejected by streams", async (api) => {
    const errors = await api.errors("/api/v2/news/stream?output=csv");
    assert.deepEqual(errors, [
      { parameter: "output", given: "csv", expected: "to be absent, because a stream always sends JSON" },
    ]);
  });

  test("continues in the link to the next page", async (api) => {
    await api.has("guidance", [{ id: "a" }, { id: "b" }]);
    const first = await api.fetch(
      "/api/v2.1/calendar/guidance?parameters[is_primary]=All&output=csv&pagesize=1&fields=x",
    );
    assert.equal(first.headers["x-ignored-parameters"], "fields");
    const next = /^<(.+)>; rel="next"$/.exec(first.headers.link ?? "")?.[1] ?? assert.fail(first.headers.link);
    const second = await api.fetch(next);
    assert.equal(second.headers["content-type"], "text/csv; charset=utf-8");
    assert.equal(second.text.split("\r\n").length, 3);
  });
});

readingEveryStore("Accept with other formats", (test) => {
  test("only an exact type selects one that lists didn't always have", async (api) => {
    const typeOf = async (accept: string) => {
      const { status, headers } = await api.fetch("/api/v2.1/calendar/earnings", { accept });
      return status === 200 ? headers["content-type"]?.split(";")[0] : status;
    };
    assert.equal(await typeOf("text/csv"), "text/csv");
    assert.equal(await typeOf("application/x-ndjson"), "application/x-ndjson");
    assert.equal(await typeOf("application/ndjson"), "application/x-ndjson");
    assert.equal(await typeOf("application/json;q=0.5, text/csv"), "text/csv");
    assert.equal(await typeOf("text/csv, application/json"), "application/json");
    assert.equal(await typeOf("text/csv;q=0.9, */*;q=0.8"), "text/csv");
    assert.equal(await typeOf("*/*"), "application/json");
    assert.equal(await typeOf("text/*"), 406);
    assert.equal(await typeOf("application/json;q=0, */*"), 406);
  });

  test("a 406 lists all formats", async (api) => {
    const { json } = await api.fetch("/api/v2.1/calendar/earnings", { accept: "image/png" });
    assert.equal(
      json.detail,
      "This endpoint responds with application/json, and on request with text/csv, application/x-ndjson, or text/calendar.",
    );
  });
});

readingEveryStore("CSV", (test) => {
  test("has a header row even without records", async (api) => {
    const { text, headers } = await api.fetch("/api/v2.1/calendar/ratings?output=csv&fields=ticker,date,pt_pct_change");
    assert.equal(text, "date,pt_pct_change,ticker\r\n");
    assert.equal(headers["content-length"], "27");
    assert.equal((await api.fetch("/api/v2.1/calendar/ratings?output=ndjson")).text, "");
  });

  test("neutralizes text that a spreadsheet would run, and leaves numbers alone", async (api) => {
    const notes = ["=1+1", "+SUM(A1)", "-2+3", "@x", "\tx", "\rx", "x=1", "'x", "-0.25", "+1.5%", "-3.2M", "＝1"];
    await api.has(
      "dividends",
      notes.map((text, index) => ({ id: `${index + 10}`, date: "2024-11-05", notes: text, dividend: "-0.25" })),
    );
    const { text } = await api.fetch("/api/v2.2/calendar/dividends?output=csv&parameters[date_sort]=announced");
    const [header = "", ...rows] = text.split("\r\n");
    const [dividend, note] = ["dividend", "notes"].map((name) => header.split(",").indexOf(name)) as [number, number];
    const cells = (at: number) => rows.slice(0, -1).map((row) => row.split(",")[at]);
    assert.deepEqual(new Set(cells(dividend)), new Set(["-0.25"]));
    assert.deepEqual(cells(note).reverse(), [
      "'=1+1",
      "'+SUM(A1)",
      "'-2+3",
      "'@x",
      "'\tx",
      '"\'\rx"',
      "x=1",
      "'x",
      "-0.25",
      "+1.5%",
      "-3.2M",
      "'＝1",
    ]);
  });

  test("joins lists by their main values, and quotes cells", async (api) => {
    const item = {
      id: 7,
      title: 'Apple, "the" fruit',
      created: 1_730_817_000,
      channels: [{ name: "Earnings" }, { name: "=M&A" }],
      stocks: [
        { name: "AAPL", exchange: "NASDAQ" },
        { name: "F", exchange: "NYSE" },
      ],
      image: [{ size: "thumb", url: "https://example.com/a.png" }],
    };
    await api.has("news", [item]);
    const { text } = await api.fetch("/api/v2/news?output=csv");
    assert.equal(
      text,
      [
        "author,body,channels,created,id,image,original_id,stocks,tags,teaser,title,updated,url",
        `,,Earnings;'=M&A,"Tue, 05 Nov 2024 09:30:00 -0500",7,https://example.com/a.png,,AAPL;F,,,"Apple, ""the"" fruit","Tue, 05 Nov 2024 09:30:00 -0500",`,
        "",
      ].join("\r\n"),
    );
  });
});

readingEveryStore("Atom", (test) => {
  test("has links without the key, channels as categories, and text as HTML or plain", async (api) => {
    const item = {
      ...{ id: 7, title: "Apple <reports>", author: "Dana", url: "https://example.com/7?a=1&b=2" },
      ...{ created: 1_730_817_000, updated: 1_730_817_060, teaser: "<b>Up</b> 5 &amp; more" },
      channels: [{ name: "M&A" }],
    };
    await api.has("news", [item, { ...item, id: 6, url: "javascript:alert(1)", channels: [] }]);
    const authorization = { authorization: "" };
    const query = `displayOutput=abstract&token=${api.token}&pageSize=1&output=atom`;
    const { text, headers } = await api.request(`/api/v2/news?${query}`, { headers: authorization });
    const next = /^<(.+)>; rel="next"$/.exec(headers.link ?? "")?.[1] ?? assert.fail(headers.link);
    const lines = text.split("\n");
    assert.match(lines[2] ?? "", /^<id>urn:uuid:[-0-9a-f]{36}<\/id>$/);
    assert.deepEqual(
      lines.toSpliced(2, 1),
      [
        '<?xml version="1.0" encoding="utf-8"?>',
        '<feed xmlns="http://www.w3.org/2005/Atom">',
        "<title>News</title>",
        "<updated>2024-11-05T14:31:00Z</updated>",
        "<generator>Bellwire</generator>",
        "<author><name>Bellwire</name></author>",
        '<link rel="self" type="application/atom+xml" href="/api/v2/news?displayOutput=abstract&amp;pageSize=1&amp;output=atom"/>',
        `<link rel="next" type="application/atom+xml" href="${next.replaceAll("&", "&amp;")}"/>`,
        "<entry><id>urn:uuid:7e5d3a6c</id><title>Apple &lt;reports&gt;</title><updated>2024-11-05T14:31:00Z</updated>" +
          "<published>2024-11-05T14:30:00Z</published><author><name>Dana</name></author>" +
          '<link rel="alternate" type="text/html" href="https://example.com/7?a=1&amp;b=2"/><category term="M&amp;A"/>' +
          '<summary type="html">&lt;b&gt;Up&lt;/b&gt; 5 &amp;amp; more</summary></entry>',
        "</feed>",
        "",
      ].map((line) => line.replace("urn:uuid:7e5d3a6c", /<entry><id>([^<]+)/.exec(text)?.[1] ?? "")),
    );
    const plain = await api.fetch("/api/v2/news?displayOutput=abstract&format=text&output=atom");
    assert.match(plain.text, /<summary type="text">Up 5 &amp; more<\/summary>/);
    // An address that might run in a reader is no link. An entry without one must have content.
    assert.doesNotMatch(plain.text, /javascript/);
    assert.match(plain.text, /<content type="text"><\/content><\/entry>/);
  });

  test("is chosen by feed readers that accept it, and only for lists of news", async (api) => {
    const reader = "application/atom+xml, application/rss+xml, application/xml;q=0.9, text/xml;q=0.8, */*;q=0.7";
    const typeOf = async (url: string) => (await api.fetch(url, { accept: reader })).headers["content-type"];
    assert.equal(await typeOf("/api/v2/news"), "application/atom+xml; charset=utf-8");
    assert.equal(await typeOf("/api/v2.1/calendar/ratings"), "application/json; charset=utf-8");
    assert.equal((await api.errors("/api/v2/news-removed?output=atom"))[0]?.expected, "one of json, csv, ndjson");
  });
});
