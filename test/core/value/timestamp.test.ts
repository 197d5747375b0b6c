// Timestamps as files spell them.
import assert from "node:assert/strict";
import { test } from "node:test";
import { type Zone, zone } from "../../../src/core/value/time-zone.ts";
import { localClock, parseTimestamp } from "../../../src/core/value/timestamp.ts";

const [newYork, berlin] = ["America/New_York", "Europe/Berlin"].map((name) => zone(name) as Zone) as [Zone, Zone];
const friday = Date.parse("2020-06-05T14:30:54Z") / 1000;

test("RFC 2822 and ISO 8601 with an offset are instants, in all their spellings", () => {
  for (const text of [
    "Fri, 5 Jun 2020 10:30:54 -0400",
    "Fri, 05 Jun 2020 14:30:54 GMT",
    "fri, 5 jun 2020 14:30:54 UTC",
    "5 Jun 2020 14:30:54 +0000",
    "2020-06-05T14:30:54Z",
    "2020-06-05 10:30:54-04:00",
    "2020-06-05 10:30:54.123456 -0400",
    "2020-06-05T16:30:54+02",
    " 2020-06-05 14:30:54 UTC ",
  ])
    assert.equal(parseTimestamp(text), friday, text);
  assert.equal(parseTimestamp("2020-06-05T14:30Z"), friday - 54);
});

test("a timestamp without an offset is an instant only in a time zone", () => {
  assert.equal(parseTimestamp("2020-06-05 10:30:54"), undefined);
  assert.equal(parseTimestamp("2020-06-05 10:30:54", newYork), friday);
  assert.equal(parseTimestamp("Fri, 5 Jun 2020 16:30:54", berlin), friday);
  assert.equal(parseTimestamp("2020-06-05T14:30:54Z", berlin), friday);
});

test("when clocks go back, the first of two instants is used; when they go forward, there is none", () => {
  assert.equal(parseTimestamp("2024-11-03 01:30:00", newYork), Date.parse("2024-11-03T05:30:00Z") / 1000);
  assert.equal(parseTimestamp("2024-03-10 02:30:00", newYork), undefined);
  assert.equal(parseTimestamp("2024-03-31 03:00:00", berlin), Date.parse("2024-03-31T01:00:00Z") / 1000);
});

test("anything but a timestamp, or one with the wrong weekday, is not repaired", () => {
  for (const text of [
    "2020-06-05",
    "Mon, 5 Jun 2020 10:30:54 -0400",
    "2020-02-30T10:30:54Z",
    "2020-06-05T25:30:54Z",
    "5 Foo 2020 10:30:54 GMT",
    "06/05/2020 10:30",
    "yesterday",
    "",
  ])
    assert.equal(parseTimestamp(text, newYork), undefined, text);
});

test("day and clock time are those of the target time zone; without an offset they are as written", () => {
  assert.deepEqual(localClock("2020-06-05T02:30:54Z", newYork), { day: "2020-06-04", time: "22:30:54" });
  assert.deepEqual(localClock("2020-06-05 09:30", newYork), { day: "2020-06-05", time: "09:30:00" });
  assert.deepEqual(localClock("2020-06-05 03:00:00", newYork, berlin), { day: "2020-06-04", time: "21:00:00" });
});
