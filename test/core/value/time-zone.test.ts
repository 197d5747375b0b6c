// Time zones: instants and days, printed and parsed, across every clock change.
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import {
  dayBounds,
  isDay,
  localDay,
  parseInstant,
  printInstant,
  type Zone,
  zone,
} from "../../../src/core/value/time-zone.ts";
import { runs } from "../../support/budget.ts";

const withTemporal = { skip: !("Temporal" in globalThis) && "this Node has no Temporal to compare with" };

function known(name: string): Zone {
  const found = zone(name);
  assert.ok(found, name);
  return found;
}

const at = (iso: string): number => Date.parse(iso) / 1000;
const newYork = known("America/New_York");

const zoneName = fc.constantFrom(...Intl.supportedValuesOf("timeZone"), "UTC");
// Since 1972, every offset is in whole minutes, and Temporal's days equal ours.
const recent = fc.integer({ min: at("1972-02-01T00:00:00Z"), max: at("2040-01-01T00:00:00Z") });
const anytime = fc.integer({ min: at("0001-01-03T00:00:00Z"), max: at("9999-12-29T00:00:00Z") });

test("a time zone is recognized by its IANA name", () => {
  assert.equal(zone("America/New_York"), newYork);
  for (const name of ["UTC", "Europe/London", "Asia/Kathmandu"]) assert.ok(zone(name), name);
  for (const name of ["", "Mars/Olympus", "+05:00", "-0500", "America/New_York ", "__proto__"])
    assert.equal(zone(name), undefined, name);
});

test("an instant is printed with the offset in effect", () => {
  assert.equal(printInstant(newYork, at("2024-11-05T14:30:00Z")), "Tue, 05 Nov 2024 09:30:00 -0500");
  assert.equal(printInstant(newYork, at("2024-07-04T14:30:00Z")), "Thu, 04 Jul 2024 10:30:00 -0400");
  assert.equal(printInstant(known("UTC"), 0), "Thu, 01 Jan 1970 00:00:00 +0000");
  assert.equal(printInstant(known("Asia/Kathmandu"), at("2024-01-31T20:00:00Z")), "Thu, 01 Feb 2024 01:45:00 +0545");
  assert.equal(printInstant(known("America/St_Johns"), at("2024-01-01T00:00:00Z")), "Sun, 31 Dec 2023 20:30:00 -0330");
});

test("the offset changes at the exact second", () => {
  assert.equal(printInstant(newYork, at("2024-11-03T05:59:59Z")), "Sun, 03 Nov 2024 01:59:59 -0400");
  assert.equal(printInstant(newYork, at("2024-11-03T06:00:00Z")), "Sun, 03 Nov 2024 01:00:00 -0500");
  assert.equal(printInstant(newYork, at("2024-03-10T06:59:59Z")), "Sun, 10 Mar 2024 01:59:59 -0500");
  assert.equal(printInstant(newYork, at("2024-03-10T07:00:00Z")), "Sun, 10 Mar 2024 03:00:00 -0400");
});

test("historical offsets with seconds are rounded to the minute, and parse to the same instant", () => {
  const noon = at("1960-01-01T12:00:00Z");
  assert.equal(printInstant(known("Africa/Monrovia"), noon), "Fri, 01 Jan 1960 11:15:00 -0045");
  assert.equal(parseInstant("Fri, 01 Jan 1960 11:15:00 -0045"), noon);
});

test("a printed instant parses to itself, and its day contains it", () => {
  fc.assert(
    fc.property(zoneName, fc.oneof(recent, anytime), (name, seconds) => {
      const zone = known(name);
      assert.equal(parseInstant(printInstant(zone, seconds)), seconds);
      const { from, before } = dayBounds(zone, localDay(zone, seconds));
      assert.ok(from <= seconds);
      // Where clocks went back across midnight, the repeated hour belongs to the day that had begun.
      assert.ok(seconds < before || seconds - before < 3 * 3600);
    }),
    { numRuns: runs(200, 2000) },
  );
});

test("instants and days agree with Temporal", withTemporal, () => {
  fc.assert(
    fc.property(zoneName, recent, (name, seconds) => {
      const ours = known(name);
      const theirs = Temporal.Instant.fromEpochMilliseconds(seconds * 1000).toZonedDateTimeISO(name);
      const day = theirs.toPlainDate();
      assert.equal(localDay(ours, seconds), day.toString());
      assert.equal(
        printInstant(ours, seconds).slice(17, 25),
        theirs.toPlainTime().toString({ smallestUnit: "second" }),
      );
      assert.equal(printInstant(ours, seconds).slice(26), theirs.offset.replace(":", ""));
      assert.deepEqual(dayBounds(ours, day.toString()), {
        from: theirs.startOfDay().epochMilliseconds / 1000,
        before: day.add({ days: 1 }).toZonedDateTime(name).startOfDay().epochMilliseconds / 1000,
      });
    }),
    { numRuns: runs(200, 2000) },
  );
});

test("offsets of any age agree with Temporal, to the minute", withTemporal, () => {
  fc.assert(
    fc.property(
      zoneName,
      fc.integer({ min: at("1800-01-01T00:00:00Z"), max: at("1972-02-01T00:00:00Z") }),
      (name, seconds) => {
        const theirs = Temporal.Instant.fromEpochMilliseconds(seconds * 1000).toZonedDateTimeISO(name);
        const offset = theirs.toString({ timeZoneName: "never" }).slice(-6).replace(":", "");
        // Dublin was 25 seconds behind Greenwich: rounded, that is no offset, and has no sign.
        assert.equal(printInstant(known(name), seconds).slice(26), offset.replace("-0000", "+0000"));
      },
    ),
    { numRuns: runs(100, 1000) },
  );
});

test("the days around every clock change agree with Temporal", withTemporal, () => {
  for (const name of [
    "America/New_York",
    "America/Sao_Paulo",
    "Asia/Beirut",
    "Pacific/Apia",
    "America/St_Johns",
    "Africa/Cairo",
  ]) {
    const end = at("2030-01-01T00:00:00Z");
    let change = Temporal.Instant.from("1972-02-01T00:00:00Z").toZonedDateTimeISO(name).getTimeZoneTransition("next");
    for (; change && change.epochMilliseconds < end * 1000; change = change.getTimeZoneTransition("next"))
      for (const days of [-1, 0, 1]) {
        const day = change.toPlainDate().add({ days });
        assert.deepEqual(
          dayBounds(known(name), day.toString()),
          {
            from: day.toZonedDateTime(name).startOfDay().epochMilliseconds / 1000,
            before: day.add({ days: 1 }).toZonedDateTime(name).startOfDay().epochMilliseconds / 1000,
          },
          `${name} ${day}`,
        );
      }
  }
});

test("a day is as long as its clock changes make it", () => {
  assert.deepEqual(dayBounds(newYork, "2024-11-05"), {
    from: at("2024-11-05T05:00:00Z"),
    before: at("2024-11-06T05:00:00Z"),
  });
  const hours = (name: string, day: string): number => {
    const { from, before } = dayBounds(known(name), day);
    return (before - from) / 3600;
  };
  assert.equal(hours("America/New_York", "2024-11-03"), 25);
  assert.equal(hours("America/New_York", "2024-03-10"), 23);
  assert.equal(hours("Australia/Lord_Howe", "2024-04-07"), 24.5);
});

test("a day whose midnight was skipped starts at the clock change", () => {
  assert.equal(dayBounds(known("America/Sao_Paulo"), "2018-11-04").from, at("2018-11-04T03:00:00Z"));
  assert.equal(localDay(known("America/Sao_Paulo"), at("2018-11-04T03:00:00Z") - 1), "2018-11-03");
});

test("a day that a time zone skipped contains no instant", () => {
  const { from, before } = dayBounds(known("Pacific/Apia"), "2011-12-30");
  assert.equal(from, before);
});

test("anything but a day has no bounds", () => {
  assert.throws(() => dayBounds(newYork, "2024-02-30"), RangeError);
});

test("a day is strictly YYYY-MM-DD and on the calendar", () => {
  for (const text of ["2024-02-29", "2000-02-29", "0001-01-01", "0099-12-31", "9999-12-31"])
    assert.ok(isDay(text), text);
  for (const text of [
    ..."2023-02-29 1900-02-29 2024-02-30 2024-04-31 2024-13-01 2024-00-10 2024-01-00 2024-01-32 2024-01-99 0000-01-01".split(
      " ",
    ),
    ..."2024-1-1 20240101 2024-01-01T00:00 +2024-01-01 12024-01-01 2024/01/01 today".split(" "),
    "",
    " 2024-01-01",
    "2024-01-01\n",
  ])
    assert.ok(!isDay(text), text);
});

test("an instant is parsed from its printed form", () => {
  assert.equal(parseInstant("Tue, 05 Nov 2024 09:30:00 -0500"), at("2024-11-05T14:30:00Z"));
  assert.equal(parseInstant("Wed, 31 Dec 1969 23:59:59 +0000"), -1);
  assert.equal(parseInstant("Mon, 01 Jan 0001 00:00:00 +0000"), at("0001-01-01T00:00:00Z"));
});

test("an instant is parsed from ISO 8601 with an offset", () => {
  const expected = at("2024-11-05T14:30:00Z");
  for (const text of [
    "2024-11-05T09:30:00-05:00",
    "2024-11-05T09:30:00-0500",
    "2024-11-05T09:30:00-05",
    "2024-11-05T14:30Z",
    "2024-11-05t14:30:00z",
    "2024-11-05 14:30:00Z",
    "2024-11-05T14:30:00.999Z",
    "2024-11-05T14:30:00,5Z",
    "2024-11-05T20:15+05:45",
    "2024-11-06T00:30+10",
  ])
    assert.equal(parseInstant(text), expected, text);
});

test("fractions of a second are truncated, before 1970 too", () => {
  assert.equal(parseInstant("1969-12-31T23:59:58.7Z"), -2);
});

test("anything else, or an impossible time, is not parsed", () => {
  for (const text of [
    "",
    "1730817000",
    "2024-11-05",
    "2024-11-05T14:30:00",
    "2024-11-05T14Z",
    "2024-02-30T00:00:00Z",
    "2024-11-05T24:00:00Z",
    "2024-11-05T23:59:60Z",
    "2024-11-05T14:60:00Z",
    "2024-11-05T14:30:00.Z",
    "2024-11-05T14:30.5Z",
    "2024-11-05T14:30:00-5",
    "2024-11-05T14:30:00+24:00",
    "2024-11-05T14:30:00+05:60",
    " 2024-11-05T14:30:00Z",
    "2024-11-05T14:30:00Z\n",
    "Mon, 05 Nov 2024 09:30:00 -0500",
    "Tue, 5 Nov 2024 09:30:00 -0500",
    "tue, 05 nov 2024 09:30:00 -0500",
    "Tue, 05 Nov 2024 09:30:00 EST",
    "Tue, 05 Nov 2024 09:30:00 GMT",
    "Tue, 05 Nov 2024 09:30:00 -05:00",
    "Tue, 05 Nov 2024 09:30 -0500",
    "05 Nov 2024 09:30:00 -0500",
    "Fri, 30 Feb 2024 09:30:00 -0500",
    "Tue, 05 Foo 2024 09:30:00 -0500",
    "Tue, 05 Nov 2024 24:00:00 -0500",
  ])
    assert.equal(parseInstant(text), undefined, text);
});
