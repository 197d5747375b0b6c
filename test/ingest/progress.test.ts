// Progress: rarely enough to cost nothing, on one line if there is a terminal, and cleared at the end.
import assert from "node:assert/strict";
import { test } from "node:test";
import { progress } from "../../src/ingest/progress.ts";

function screen(isTTY: boolean, columns?: number) {
  const written: string[] = [];
  const out = { isTTY, write: (text: string) => written.push(text), ...(columns === undefined ? {} : { columns }) };
  return { written, out };
}

test("a terminal shows a bar, the percentage, records, their rate, and the time left on one line", () => {
  const { written, out } = screen(true, 120);
  let time = 5000;
  const shown = progress(out, "news.ndjson", { totalBytes: 1_000_000, now: () => time });
  time += 10_000;
  shown.update({ bytes: 250_000, records: 12_345 });
  assert.deepEqual(written, [
    `\rnews.ndjson  ${"█".repeat(6)}${"░".repeat(18)}   25 %  12,345 records  1,235/s  0:30 left\x1b[K`,
  ]);
  time += 10_000;
  shown.update({ bytes: 1_000_000, records: 50_000 });
  assert.equal(written[1], `\rnews.ndjson  ${"█".repeat(24)}  100 %  50,000 records  2,500/s  0:00 left\x1b[K`);
});

test("if the records are counted beforehand, done and total are shown, and the time left is derived from them", () => {
  const { written, out } = screen(true, 120);
  let time = 0;
  const shown = progress(out, "demo", { total: 50_000, now: () => time });
  time = 4000;
  shown.update({ records: 12_500 });
  assert.deepEqual(written, [
    `\rdemo  ${"█".repeat(6)}${"░".repeat(18)}   25 %  12,500 of 50,000 records  3,125/s  0:12 left\x1b[K`,
  ]);
  const plain = screen(false);
  time = 0;
  const lines = progress(plain.out, "demo", { total: 50_000, now: () => time });
  for (; time <= 25_000; time += 1000) lines.update({ records: time });
  lines.end();
  assert.deepEqual(plain.written, [
    "demo   20 %  10,000 of 50,000 records  1,000/s  0:40 left\n",
    "demo   40 %  20,000 of 50,000 records  1,000/s  0:30 left\n",
  ]);
});

test("the time left is derived from the cost of records if it differs", () => {
  const { written, out } = screen(true, 120);
  let time = 0;
  const shown = progress(out, "demo", { total: 1000, now: () => time });
  time = 9000;
  shown.update({ records: 400, timeShare: 0.9 });
  assert.match(written[0] ?? "", / 40 % {2}400 of 1,000 records {2}44\/s {2}0:01 left/);
});

test("on a narrow terminal, the bar is dropped in favor of the figures", () => {
  const { written, out } = screen(true, 80);
  let time = 0;
  const shown = progress(out, "demo", { total: 50_000, now: () => time });
  time = 4000;
  shown.update({ records: 25_000 });
  const [line = ""] = written;
  const shownLine = line.replace("\r", "").replace("\x1b[K", "");
  assert.match(shownLine, /^demo {2}█+░+ +50 % {2}25,000 of 50,000 records {2}6,250\/s {2}0:04 left$/);
  assert.equal(shownLine.length, 79);
});

test("a terminal is updated at most ten times a second, and not at all by what completes immediately", () => {
  const { written, out } = screen(true, 80);
  let time = 0;
  const shown = progress(out, "x", { totalBytes: 1000, now: () => time });
  for (; time < 1000; time++) shown.update({ bytes: time, records: time });
  assert.equal(written.length, 9);
  const quick = screen(true, 80);
  const over = progress(quick.out, "x", { totalBytes: 1000, now: () => 0 });
  over.update({ bytes: 1000, records: 1 });
  over.end();
  assert.deepEqual(quick.written, []);
});

test("the line is cleared at the end, once", () => {
  const { written, out } = screen(true, 80);
  let time = 0;
  const shown = progress(out, "x", { totalBytes: 1000, now: () => time });
  time = 200;
  shown.update({ bytes: 10, records: 1 });
  shown.end();
  shown.end();
  assert.equal(written.length, 2);
  assert.equal(written[1], "\r\x1b[K");
});

test("a line is narrower than the terminal, so that it doesn't wrap", () => {
  const { written, out } = screen(true, 30);
  let time = 0;
  const shown = progress(out, "a-file-with-a-long-name.ndjson.gz", { totalBytes: 1000, now: () => time });
  time = 200;
  shown.update({ bytes: 10, records: 1 });
  assert.equal(written[0], "\ra-file-with-a-long-name.ndjso\x1b[K");
});

test("a terminal of unknown width counts as one of 80 columns", () => {
  const { written, out } = screen(true, 0);
  let time = 0;
  const shown = progress(out, "x", { totalBytes: 1000, now: () => time });
  time = 200;
  shown.update({ bytes: 10, records: 1 });
  assert.match(written[0] ?? "", /1 % {2}1 records/);
});

test("without a total, the amount read is shown instead of a percentage", () => {
  const { written, out } = screen(true, 80);
  let time = 0;
  const shown = progress(out, "standard input", { now: () => time });
  time = 2000;
  shown.update({ bytes: 1_234_567_890, records: 10 });
  assert.deepEqual(written, ["\rstandard input  1,234 MB  10 records  5/s\x1b[K"]);
});

test("hours are shown if needed", () => {
  const { written, out } = screen(true, 120);
  let time = 0;
  const shown = progress(out, "x", { totalBytes: 10_001, now: () => time });
  time = 1000;
  shown.update({ bytes: 1, records: 1 });
  assert.match(written[0]!, /1\/s {2}2:46:40 left/);
});

test("control characters in a file name don't reach the terminal", () => {
  const { written, out } = screen(true, 80);
  let time = 0;
  const shown = progress(out, "a\x1b[2Jb\n", { now: () => time });
  time = 1000;
  shown.update({ bytes: 0, records: 0 });
  assert.equal(written[0], "\ra?[2Jb?  0 records  0/s\x1b[K");
});

test("without a terminal, a plain line is written every ten seconds and nothing else", () => {
  const { written, out } = screen(false);
  let time = 0;
  const shown = progress(out, "news.csv", { totalBytes: 200_000, now: () => time });
  for (; time <= 25_000; time += 50) shown.update({ bytes: time, records: time });
  shown.end();
  assert.deepEqual(written, [
    "news.csv    5 %  10,000 records  1,000/s  3:10 left\n",
    "news.csv   10 %  20,000 records  1,000/s  3:00 left\n",
  ]);
});
