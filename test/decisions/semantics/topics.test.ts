// Topics: whole words and phrases, in text normalized to lowercase without accents.
import assert from "node:assert/strict";
import { type ReadApi, readingEveryStore } from "../../support/stores/every-store.ts";

/** Whether a topic matches an item with this attribute. */
async function finds(api: ReadApi, item: Record<string, unknown>, topic: string): Promise<boolean> {
  await api.has("news", [{ id: 1, title: "x", ...item }]);
  return (await api.ids(`/api/v2/news?topics=${encodeURIComponent(topic)}`)).length === 1;
}

async function check(
  api: ReadApi,
  item: Record<string, unknown>,
  topics: { yes: string[]; no: string[] },
): Promise<void> {
  for (const topic of topics.yes) assert.ok(await finds(api, item, topic), `${JSON.stringify(item)} has ${topic}`);
  for (const topic of topics.no) assert.ok(!(await finds(api, item, topic)), `${JSON.stringify(item)} lacks ${topic}`);
}

readingEveryStore("words", (test) => {
  test("match whole, ignoring case", async (api) => {
    await check(
      api,
      { title: "Apple Reports THIRD quarter" },
      { yes: ["apple", "APPLE", "reports", "Third", "quarter"], no: ["app", "report", "apples", "pple", "arter"] },
    );
  });

  test("match in title, tags, and body, and nowhere else", async (api) => {
    const item = {
      title: "alpha",
      tags: [{ name: "beta" }],
      body: "<p>gamma</p>",
      teaser: "delta",
      author: "epsilon",
      channels: [{ name: "zeta" }],
      stocks: [{ name: "ETA" }],
      url: "https://example.com/theta",
      image: [{ size: "iota", url: "https://example.com/kappa" }],
      content_type: "lambda",
      regions: ["mu"],
    };
    const no = ["delta", "epsilon", "zeta", "eta", "theta", "iota", "kappa", "lambda", "mu"];
    await check(api, item, { yes: ["alpha", "beta", "gamma"], no });
  });

  test("are runs of letters and digits; everything else separates them", async (api) => {
    await check(
      api,
      { title: "COVID-19: AT&T's 5G/4G_plan, U.S. $1,000 (Q3)" },
      {
        yes: ["covid", "19", "covid-19", "at", "t", "s", "5g", "4g", "plan", "u", "1", "000", "q3", "U.S."],
        no: ["covid19", "att", "ats", "5g4g", "4gplan", "us", "1000"],
      },
    );
  });

  test("are compared without accents, in the item and in the topic", async (api) => {
    await check(
      api,
      { title: "Nestlé, Crème BRÛLÉE" },
      { yes: ["nestle", "Nestlé", "NESTLÉ", "creme brulee"], no: ["nestl"] },
    );
    await check(api, { title: "Nestle" }, { yes: ["Nestlé", "nestle\u0301"], no: [] });
    await check(api, { title: "Nestle\u0301" }, { yes: ["nestle", "Nestlé"], no: [] });
  });

  test("match ø, ł, ß, and æ with o, l, ss, and ae, in both directions", async (api) => {
    await check(api, { title: "Ørsted øre" }, { yes: ["orsted", "Ørsted", "ØRSTED", "ore"], no: ["rsted"] });
    await check(api, { title: "Łódź złoty" }, { yes: ["lodz", "Łódź", "zloty", "ZŁOTY"], no: ["odz"] });
    await check(
      api,
      { title: "Großbank STRAẞE" },
      { yes: ["grossbank", "Großbank", "GROSSBANK", "strasse"], no: ["grosbank"] },
    );
    await check(api, { title: "Mærsk ÆON" }, { yes: ["maersk", "Mærsk", "aeon", "æon"], no: ["marsk"] });
    await check(api, { title: "Maersk Orsted Lodz Strasse" }, { yes: ["Mærsk", "Ørsted", "Łódź", "Straße"], no: [] });
  });

  test("may be in other scripts", async (api) => {
    await check(api, { title: "Газпром снижает добычу" }, { yes: ["газпром", "ГАЗПРОМ снижает"], no: ["газ"] });
    await check(api, { title: "トヨタ 東京" }, { yes: ["トヨタ", "東京"], no: ["東"] });
  });
});

readingEveryStore("phrases", (test) => {
  test("match consecutive words in the same order", async (api) => {
    await check(
      api,
      { title: "Apple reports third quarter results" },
      {
        yes: ["third quarter", "reports third quarter", "apple  reports"],
        no: ["quarter third", "apple third", "third quarter result"],
      },
    );
  });

  test("are not interrupted by punctuation, in the item or in the topic", async (api) => {
    await check(
      api,
      { title: "Apple, Inc. (third-quarter) results" },
      { yes: ["apple inc", "inc third quarter results", "third.quarter!"], no: [] },
    );
    await check(
      api,
      { title: "third quarter" },
      { yes: ["third-quarter", "“third” quarter", "third/quarter"], no: ["thirdquarter"] },
    );
    await check(api, { body: "<p>Apple rose. Intel fell.</p>" }, { yes: ["rose intel"], no: [] });
  });

  test("never span title, tags, and body", async (api) => {
    const item = { title: "Apple third", tags: [{ name: "quarter" }, { name: "results" }], body: "beat estimates" };
    await check(api, item, {
      yes: ["apple third", "beat estimates"],
      no: ["third quarter", "results beat", "third beat"],
    });
  });

  test("match within a single tag, never across two", async (api) => {
    const item = { tags: [{ name: "third quarter" }, { name: "results" }] };
    await check(api, item, { yes: ["third quarter", "results"], no: ["quarter results", "third quarter results"] });
  });

  test("are interrupted by block elements of a body", async (api) => {
    for (const body of [
      "<p>third</p><p>quarter</p>",
      "third<p>quarter",
      "<div>third</div>quarter",
      "<ul><li>third<li>quarter</ul>",
      "<h1>third</h1>quarter",
      "<table><tr><td>third</td><td>quarter</td></tr></table>",
      "third<hr>quarter",
    ]) {
      await check(api, { body }, { yes: ["third", "quarter"], no: ["third quarter", "thirdquarter"] });
    }
  });

  test("continue through inline tags of a body, which are removed", async (api) => {
    await check(
      api,
      { body: "<p>third <b>quarter</b> <a href='/x'>results</a></p>" },
      { yes: ["third quarter results"], no: [] },
    );
    await check(
      api,
      { body: "<p>th<b>ird</b> qu<i>art</i>er</p>" },
      { yes: ["third quarter"], no: ["th", "ird", "art"] },
    );
  });

  test("match if any of several topics does, unless all are required", async (api) => {
    await api.has("news", [
      { id: 1, title: "third quarter" },
      { id: 2, title: "merger talks" },
      { id: 3, title: "dividend" },
    ]);
    assert.deepEqual(await api.ids("/api/v2/news?topics=third+quarter,merger"), [2, 1]);
    assert.deepEqual(await api.ids("/api/v2/news?topics=third+quarter,merger&topic_group_by=or"), [2, 1]);
  });
});

readingEveryStore("searchable text", (test) => {
  test("excludes attributes, comments, scripts, and styles of a body", async (api) => {
    const body =
      '<p class="alpha" title="beta">shown <a href="https://gamma.example/delta">link</a><img alt="epsilon"></p>' +
      "<!-- zeta --><script>var eta = '<p>theta</p>'</script><style>.iota { color: kappa }</style>";
    const no = ["alpha", "beta", "gamma", "delta", "epsilon", "zeta", "eta", "theta", "iota", "kappa"];
    await check(
      api,
      { body },
      { yes: ["shown", "link", "shown link"], no: [...no, "p", "class", "href", "script", "img"] },
    );
  });

  test("includes decoded entities of a body", async (api) => {
    await check(
      api,
      { body: "Caf&eacute; AT&amp;T Moody&#39;s Q3&nbsp;2024" },
      { yes: ["café", "at t", "moody s", "q3 2024"], no: ["amp", "eacute", "39", "nbsp"] },
    );
    await check(api, { body: "N&#101;stl&#xE9;" }, { yes: ["nestle"], no: ["101"] });
  });

  test("treats titles and tags as plain text, even if they look like markup", async (api) => {
    await check(
      api,
      { title: "The <b>bold</b> &amp; title" },
      { yes: ["b", "bold", "amp", "b bold b"], no: ["bold title"] },
    );
    await check(api, { tags: [{ name: "R&amp;D <em>" }] }, { yes: ["amp", "em", "r amp d"], no: ["r d"] });
  });

  test("requires topics with a letter or digit, alone or among others", async (api) => {
    for (const topics of ["!!!", "%26", "apple,---", "-,apple", "%22%22", "%E2%80%94"]) {
      const [error, ...noMore] = await api.errors(`/api/v2/news?topics=${topics}`);
      assert.deepEqual([error?.parameter, error?.given, noMore], ["topics", decodeURIComponent(topics), []]);
    }
  });

  test("is never matched by search syntax in a topic", async (api) => {
    await api.has("news", [{ id: 1, title: "apple and pear near or not title" }]);
    for (const topic of [
      '"apple"',
      "apple*",
      "title:apple",
      "^apple",
      "apple AND pear",
      "(apple)",
      "pear NEAR",
      "+apple",
      "{title} : apple",
    ]) {
      const found = await api.fetch(`/api/v2/news?topics=${encodeURIComponent(topic)}`);
      assert.equal(found.status, 200, topic);
    }
    assert.deepEqual(await api.ids("/api/v2/news?topics=app*"), []);
    assert.deepEqual(await api.ids("/api/v2/news?topics=apple+AND+pear"), [1]);
    assert.deepEqual(await api.ids("/api/v2/news?topics=apple+AND+title"), []);
    assert.deepEqual(await api.ids("/api/v2/news?topics=pear+OR+plum"), []);
    assert.deepEqual(await api.ids("/api/v2/news?topics=title:apple"), []);
  });

  test("is that of the current version of a record", async (api) => {
    await api.has("news", [{ id: 1, title: "merger", body: "<p>talks</p>", tags: [{ name: "deal" }] }]);
    await api.has("news", [{ id: 1, title: "divorce", body: "<p>silence</p>" }]);
    for (const gone of ["merger", "talks", "deal"]) assert.deepEqual(await api.ids(`/api/v2/news?topics=${gone}`), []);
    for (const there of ["divorce", "silence"]) assert.deepEqual(await api.ids(`/api/v2/news?topics=${there}`), [1]);
  });
});
