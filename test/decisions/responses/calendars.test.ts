// Decision 054: calendars for subscriptions, as the app that subscribes sees them.
import assert from "node:assert/strict";
import nodeIcal, { type VEvent } from "node-ical";
import { type Api, resourceNamed, testNow } from "../../support/clients/api.ts";
import { sharingEveryStore } from "../../support/stores/every-store.ts";

/** The events of a subscription, fetched as an app does, by their ID. */
async function subscribe(api: Api, url: string, token = api.token): Promise<Map<string, VEvent>> {
  const separator = url.includes("?") ? "&" : "?";
  const address = `http://127.0.0.1:${await api.port()}${url}${separator}output=ics&token=${token}`;
  const found = Object.values(await nodeIcal.async.fromURL(address));
  return new Map(found.filter((each): each is VEvent => each?.type === "VEVENT").map((each) => [each.uid, each]));
}

/** The lines of the only event. */
async function eventLines(api: Api, url: string): Promise<string[]> {
  const { text } = await api.fetch(url);
  const [, event = "", ...others] = text.replaceAll("\r\n ", "").split("BEGIN:VEVENT\r\n");
  assert.deepEqual(others, []);
  return event.split("\r\n");
}

sharingEveryStore("a calendar subscription", (test) => {
  test("sees a changed record as a new revision of its event, and a removed one as canceled", async (api) => {
    const earnings = { ticker: "AAPL", date: "2026-02-05", time: "16:30:00", period: "Q1", period_year: 2026 };
    await api.has("earnings", [
      { ...earnings, id: "moves", updated: testNow },
      { ...earnings, id: "goes", updated: testNow },
      { ...earnings, id: "other", ticker: "F", updated: testNow },
    ]);
    const url = "/api/v2.1/calendar/earnings?parameters[tickers]=AAPL";
    const before = await subscribe(api, url);
    assert.deepEqual([...before.keys()], ["earnings-moves@bellwire", "earnings-goes@bellwire"]);
    const moves = before.get("earnings-moves@bellwire");
    assert.deepEqual(
      [moves?.start.toISOString(), moves?.summary, moves?.status],
      ["2026-02-05T21:30:00.000Z", "AAPL earnings Q1 2026", "TENTATIVE"],
    );

    api.clock.now = testNow + 3600;
    await api.has("earnings", [
      { ...earnings, id: "moves", date: "2026-02-06", date_confirmed: 1, updated: testNow + 3600 },
    ]);
    await api.store.remove(resourceNamed("earnings"), ["goes", "other"]);
    const after = await subscribe(api, url);
    assert.deepEqual([...after.keys()], ["earnings-moves@bellwire", "earnings-goes@bellwire"]);
    const moved = after.get("earnings-moves@bellwire");
    assert.deepEqual([moved?.start.toISOString(), moved?.status], ["2026-02-06T21:30:00.000Z", "CONFIRMED"]);
    assert.equal(Number(moved?.sequence) - Number(moves?.sequence), 3600);
    const gone = after.get("earnings-goes@bellwire");
    assert.deepEqual([gone?.status, gone?.start.toISOString()], ["CANCELLED", "2026-02-05T21:30:00.000Z"]);
    assert.ok(Number(gone?.sequence) > Number(before.get("earnings-goes@bellwire")?.sequence));
  });

  test("shows removed records only to keys that could see them, and only on the first page", async (api) => {
    await api.has("guidance", [
      { id: "old", date: "2020-01-02", is_primary: "true", updated: 1_577_980_000 },
      { id: "new", date: "2026-01-14", is_primary: "true", updated: testNow - 3600 },
    ]);
    await api.store.remove(resourceNamed("guidance"), ["old", "new"]);
    const url = "/api/v2.1/calendar/guidance";
    const seenBy = async (token?: string, query = "") => [...(await subscribe(api, `${url}${query}`, token)).keys()];
    assert.deepEqual((await seenBy()).sort(), ["guidance-new@bellwire", "guidance-old@bellwire"]);
    assert.deepEqual(await seenBy(await api.key({ history: "30d" })), ["guidance-new@bellwire"]);
    const delayed = await api.key({ delay: 15 });
    assert.deepEqual(await seenBy(delayed), []);
    api.clock.now += 16 * 60;
    assert.equal((await seenBy(delayed)).length, 2);
    assert.deepEqual(await seenBy(api.token, "?parameters[is_primary]=N"), []);
    assert.deepEqual(await seenBy(api.token, "?page=1"), []);
  });

  test("places events in the service's time zone, also across its clock changes", async (api) => {
    const calls = { ticker: "F", time: "08:00:00" };
    await api.has("conference-calls", [
      { ...calls, id: "winter", date: "2026-03-06", start_time: "09:00:00" },
      { ...calls, id: "summer", date: "2026-03-09", start_time: "09:00:00" },
      { ...calls, id: "skipped", date: "2026-03-08", start_time: "02:30:00" },
      { ...calls, id: "unknown", date: "2026-03-10", time: "" },
    ]);
    const events = await subscribe(api, "/api/v2.1/calendar/conference-calls");
    const start = (id: string) => events.get(`conference-calls-${id}@bellwire`)?.start;
    assert.equal(start("winter")?.toISOString(), "2026-03-06T14:00:00.000Z");
    assert.equal(start("summer")?.toISOString(), "2026-03-09T13:00:00.000Z");
    assert.deepEqual([start("skipped")?.dateOnly, start("unknown")?.dateOnly], [true, true]);
    assert.equal(events.get("conference-calls-winter@bellwire")?.end?.toISOString(), "2026-03-06T15:00:00.000Z");
  });

  test("has dial-in details, and an alarm if requested", async (api) => {
    await api.has("conference-calls", [
      {
        ...{ id: "a", ticker: "F", date: "2026-02-03", start_time: "17:00:00", updated: testNow, period: "Q4" },
        ...{ name: "Ford, Inc.", phone_num: "800-555-0142", access_code: "555;123" },
        webcast_url: "https://example.com/a,b?c=d",
      },
    ]);
    const url = "/api/v2.1/calendar/conference-calls?output=ics";
    const event = [
      "UID:conference-calls-a@bellwire",
      "DTSTAMP:20260115T120000Z",
      "LAST-MODIFIED:20260115T120000Z",
      "SEQUENCE:821793600",
      "DTSTART:20260203T220000Z",
      "DURATION:PT60M",
      "SUMMARY:F conference call Q4",
      "DESCRIPTION:Company: Ford\\, Inc.\\nPhone: 800-555-0142\\nAccess code: 555\\;123\\nWebcast: https://example.com/a\\,b?c=d",
      "URL:https://example.com/a,b?c=d",
      "CATEGORIES:Conference calls",
      "STATUS:CONFIRMED",
      "TRANSP:TRANSPARENT",
    ];
    const end = ["END:VEVENT", "END:VCALENDAR", ""];
    assert.deepEqual(await eventLines(api, url), [...event, ...end]);
    const alarm = [
      "BEGIN:VALARM",
      "ACTION:DISPLAY",
      "DESCRIPTION:F conference call Q4",
      "TRIGGER:-PT15M",
      "END:VALARM",
    ];
    assert.deepEqual(await eventLines(api, `${url}&alarm=15`), [...event, ...alarm, ...end]);
    const page = await api.fetch("/api/v2.1/calendar/conference-calls?alarm=15");
    assert.deepEqual([page.status, page.headers["x-ignored-parameters"]], [200, "alarm"]);
    assert.deepEqual(await api.errors("/api/v2.1/calendar/conference-calls?alarm=15&output=csv"), [
      { parameter: "alarm", given: "15", expected: "to be used with output=ics" },
    ]);
  });

  test("lasts all day where only the day is known, with the session in the summary", async (api) => {
    await api.has("earnings", [{ id: "a", ticker: "F", date: "2026-02-03", time: "amc", period: "Q4" }]);
    const earnings = await eventLines(api, "/api/v2.1/calendar/earnings/a?output=ics");
    assert.ok(earnings.includes("DTSTART;VALUE=DATE:20260203"));
    assert.ok(earnings.includes("SUMMARY:F earnings Q4 (after market close)"));
    assert.ok(earnings.includes("CATEGORIES:Earnings"));
    await api.has("dividends", [
      { id: "a", ticker: "F", date: "2026-02-03", dividend: "0.15", currency: "USD", ex_dividend_date: "2026-02-17" },
      { id: "b", ticker: "F", date: "2026-02-02", dividend: "0.15" },
      { id: "c", ticker: "F", date: "2026-02-01", currency: "USD" },
    ]);
    const dividends = await subscribe(api, "/api/v2.2/calendar/dividends");
    const summaries = [...dividends.values()].map(({ summary, start }) => [summary, start.getDate()]);
    assert.deepEqual(summaries, [
      ["F ex-dividend: 0.15 USD", 17],
      ["F dividend announced: 0.15", 2],
      ["F dividend announced", 1],
    ]);
  });

  test("is a valid calendar without events, and selected by its media type", async (api) => {
    const { text, headers } = await api.fetch("/api/v2.1/calendar/economics", { accept: "text/calendar" });
    assert.equal(headers["content-type"], "text/calendar; charset=utf-8");
    assert.match(text, /^BEGIN:VCALENDAR\r\nVERSION:2.0\r\n/);
    assert.match(text, /\r\nNAME:Economic events\r\n/);
    assert.match(text, /\r\nREFRESH-INTERVAL;VALUE=DURATION:PT15M\r\n/);
    assert.match(text, /\r\nBEGIN:VTIMEZONE\r\nTZID:UTC\r\n/);
    assert.deepEqual(await api.errors("/api/v2.1/calendar/ratings?output=ics&fields=ticker"), [
      { parameter: "fields", given: "ticker", expected: "to be absent with output=ics" },
    ]);
    assert.equal((await api.errors("/api/v2/news?output=ics"))[0]?.parameter, "output");
  });
});
