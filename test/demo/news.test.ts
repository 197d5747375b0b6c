// News of the demo: its form, its proportions, and headlines consistent with the calendars.
import assert from "node:assert/strict";
import { test } from "node:test";
import type { DemoRecord } from "../../demo/demo.ts";
import { generated, integer, isTrading, now, text, today, units } from "./generated.ts";

const news = generated("news");
const byUrl = new Map(news.map((item) => [text(item, "url"), item]));
const site = "https://news.example.com/demo";

type Named = { name: string };
type Stock = { name: string; exchange?: string; isin?: string; cusip?: string; primary: boolean };

const list = <T>(item: DemoRecord, field: string) => item[field] as T[];
const share = (holds: (item: DemoRecord) => boolean) => news.filter(holds).length / news.length;

const newYork = new Intl.DateTimeFormat("sv-SE", {
  timeZone: "America/New_York",
  dateStyle: "short",
  timeStyle: "medium",
});
const dayOf = (item: DemoRecord) => newYork.format(new Date(integer(item, "created") * 1000)).slice(0, 10);

test("IDs are unique, have eight digits, and are in order of creation", () => {
  const ordered = news.toSorted((one, other) => integer(one, "id") - integer(other, "id"));
  for (const [place, item] of ordered.entries()) {
    const id = integer(item, "id");
    assert.ok(id >= 10_000_000 && id <= 99_999_999);
    const before = ordered[place - 1];
    if (!before) continue;
    assert.ok(integer(before, "id") < id);
    assert.ok(integer(before, "created") <= integer(item, "created"));
  }
  assert.equal(byUrl.size, news.length);
});

test("nothing is created or changed after 8 p.m. today", () => {
  for (const item of news) {
    const [created, updated] = [integer(item, "created"), integer(item, "updated")];
    assert.ok(created <= updated && updated <= now);
    assert.ok(dayOf(item) >= "2024-06-17" && dayOf(item) <= today);
  }
});

test("every item is marked as a demo", () => {
  for (const item of news) {
    assert.match(text(item, "author"), /Demo/);
    assert.ok(!text(item, "author").includes(","));
    if (text(item, "body") !== "") assert.match(text(item, "body"), /This is Bellwire demo data: .* invented/);
    assert.ok(text(item, "url").startsWith(`${site}/`));
    for (const [, host] of text(item, "body").matchAll(/https?:\/\/([^/"]+)/g)) assert.equal(host, "news.example.com");
  }
});

test("items have the fields of the import format and no others", () => {
  const expected =
    "author body channels content_type created id image importance regions stocks tags teaser title updated url".split(
      " ",
    );
  for (const item of news) {
    assert.deepEqual(
      Object.keys(item)
        .filter((name) => name !== "original_id")
        .sort(),
      expected,
    );
    assert.match(text(item, "importance"), /^(low|medium|high)$/);
    assert.match(text(item, "content_type"), /^(story|headline|press release)$/);
    for (const channel of list<Named & { id: number }>(item, "channels")) assert.ok(Number.isInteger(channel.id));
    for (const stock of list<Stock>(item, "stocks")) assert.equal(typeof stock.primary, "boolean");
    const sizes = list<{ size: string }>(item, "image").map(({ size }) => size);
    assert.ok(sizes.length === 0 || sizes.join() === "thumb,small,large");
  }
});

test("proportions match those of real feeds", () => {
  const near = (value: number, expected: number, slack: number, what: string) =>
    assert.ok(Math.abs(value - expected) <= slack, `${what}: ${value}`);
  near(
    share((item) => text(item, "body") !== ""),
    1 / 3,
    0.04,
    "with a body",
  );
  near(
    share((item) => list(item, "tags").length === 0),
    0.6,
    0.03,
    "without tags",
  );
  near(
    share((item) => integer(item, "updated") - integer(item, "created") >= 60),
    1 / 15,
    0.015,
    "revised later",
  );
  near(
    share((item) => list(item, "stocks").length === 0),
    0.06,
    0.04,
    "without tickers",
  );
  const tickers = news.reduce((sum, item) => sum + list(item, "stocks").length, 0) / news.length;
  near(tickers, 1.8, 0.15, "tickers an item");
  const channels = news.map((item) => list(item, "channels").length).sort((one, other) => one - other);
  assert.equal(channels[Math.floor(channels.length / 2)], 3);
  assert.equal(channels[0], 1);
  assert.ok((channels.at(-1) ?? 0) > 10 && (channels.at(-1) ?? 0) <= 15);
});

test("most news is on trading days, some on others", () => {
  const quiet = share((item) => !isTrading(dayOf(item)));
  assert.ok(quiet > 0.01 && quiet < 0.06, String(quiet));
});

test("a channel has one ID", () => {
  const ids = new Map<string, number>();
  for (const item of news) {
    const channels = list<Named & { id: number }>(item, "channels");
    assert.equal(new Set(channels.map(({ name }) => name)).size, channels.length);
    for (const { name, id } of channels) {
      assert.equal(ids.get(name) ?? id, id);
      ids.set(name, id);
    }
  }
  assert.ok(ids.size > 35);
  assert.equal(new Set(ids.values()).size, ids.size);
});

test("stocks have the same names as in the calendars; the first is not always a primary one", () => {
  const known = new Map(generated("earnings").map((record) => [record.ticker, record]));
  let primaryLater = 0;
  const tickers = new Set<string>();
  for (const item of news) {
    const stocks = list<Stock>(item, "stocks");
    assert.equal(new Set(stocks.map(({ name }) => name)).size, stocks.length);
    if (stocks.some(({ primary }) => primary) && !stocks[0]?.primary) primaryLater++;
    for (const stock of stocks) {
      tickers.add(stock.name);
      const record = known.get(stock.name);
      if (!record) continue;
      assert.deepEqual([stock.isin, stock.cusip, stock.exchange], [record.isin, record.cusip, record.exchange]);
    }
  }
  assert.ok(primaryLater > 100);
  for (const ticker of ["BRK.B", "$BTC", "SPY"]) assert.ok(tickers.has(ticker), ticker);
});

test("bodies are HTML with entities and mixed line breaks, titles plain text", () => {
  const bodies = news.map((item) => text(item, "body")).join("");
  for (const part of [
    "&#39;",
    "&nbsp;",
    "&amp;",
    "\r\n",
    "<ul>",
    "<strong>",
    "<a href=",
    "<br />",
    "<table>",
    "<h2>",
  ]) {
    assert.ok(bodies.includes(part), part);
  }
  assert.match(bodies, /[^\r]\n/);
  for (const item of news) {
    assert.doesNotMatch(text(item, "title"), /&\w+;|&#|<|>|\n/);
    for (const [ampersand] of text(item, "body").matchAll(/&(?!(amp|nbsp|ndash|quot|lt|gt|#39);)/g)) {
      assert.fail(`a bare ${ampersand} in ${item.body}`);
    }
  }
});

test("an item that follows another refers to an earlier one", () => {
  const ids = new Map(news.map((item) => [item.id, item]));
  const following = news.filter((item) => "original_id" in item);
  assert.ok(following.length > 300);
  for (const item of following) {
    const original = ids.get(item.original_id);
    assert.ok(original && integer(original, "created") <= integer(item, "created"));
  }
});

/** `$(0.12)` is -0.12; `$94.036B` is 94036000000. */
function figure(shown: string): bigint {
  const match = /^C?\$(\(?)([\d.]+)\)?([BM]?)$/.exec(shown);
  assert.ok(match, shown);
  const [, loss, digits = "", unit] = match;
  const thousandths = units(digits, 3) * (unit === "B" ? 1_000_000_000n : unit === "M" ? 1_000_000n : 1n);
  return loss ? -thousandths : thousandths;
}

test("the headline of a report contains the figures of its record", () => {
  let matched = 0;
  for (const record of generated("earnings")) {
    const label = `${text(record, "period")}-${record.period_year}`.toLowerCase();
    const item = byUrl.get(`${site}/earnings/${text(record, "ticker").toLowerCase()}/${label}`);
    assert.equal(item !== undefined, text(record, "eps") !== "", JSON.stringify(record));
    if (!item) continue;
    matched++;
    const title = text(item, "title");
    assert.equal(dayOf(item), record.date);
    assert.ok(title.startsWith(`${record.name} ${record.period} `), title);
    const shown = [...title.matchAll(/C?\$\(?[\d.]+\)?[BM]?/g)].map(([each]) => figure(each));
    const followed = text(record, "eps_est") !== "";
    const fields = followed
      ? ["eps", "eps_est", "revenue", "revenue_est"]
      : ["eps", "eps_prior", "revenue", "revenue_prior"];
    assert.deepEqual(
      shown,
      fields.map((field) => units(text(record, field), 3)),
      title,
    );
    if (!followed) continue;
    const surprise = Number(record.eps_surprise);
    assert.ok(title.includes(surprise > 0 ? " Beats " : surprise < 0 ? " Misses " : " Meets "), title);
  }
  assert.ok(matched > 1800);
});

test("the headline of a rating contains firm, action, and both targets, and the rating links to it", () => {
  let matched = 0;
  for (const record of generated("ratings")) {
    const address = text(record, "url_news");
    if (address === "") continue;
    const item = byUrl.get(address);
    assert.ok(item, address);
    matched++;
    const title = text(item, "title");
    assert.equal(dayOf(item), record.date);
    assert.ok(title.startsWith(`${record.analyst} `) && title.includes(text(record, "name")), title);
    const action = text(record, "action_company");
    assert.ok(title.includes(action === "Firm Dissolved" ? "Dissolved" : action), title);
    assert.ok(title.includes(text(record, "rating_current")), title);
    const shown = new Set([...title.matchAll(/C?\$[\d.]+/g)].map(([each]) => figure(each)));
    const targets = [text(record, "pt_prior"), text(record, "pt_current")].filter((target) => target !== "");
    assert.deepEqual(shown, new Set(targets.map((target) => units(target, 4) / 10n)), title);
    assert.equal(list<Stock>(item, "stocks")[0]?.name, record.ticker);
  }
  assert.ok(matched > 3000 && matched < 7000);
});

test("news of an economic release contains its figures", () => {
  const titles = new Set(news.map((item) => text(item, "title")));
  let matched = 0;
  for (const record of generated("economics")) {
    const home = record.country_code === "USA";
    if (text(record, "actual") === "" || integer(record, "importance") < (home ? 2 : 3)) continue;
    const start = `${home ? "US" : record.country} ${record.event_name} For ${record.event_period}`;
    const title = `${start} ${record.actual_t} Vs ${record.consensus_t} Est.; Prior ${record.prior_t}`;
    assert.ok(titles.has(title), title);
    matched++;
  }
  assert.ok(matched > 1000);
});
