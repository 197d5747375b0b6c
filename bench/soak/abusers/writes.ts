// Abusive writes: junk, floods, and endless bodies.
import { constants, deflateRawSync, gzipSync } from "node:zlib";
import { liveRecord } from "../../records/live.ts";
import { type Abuser, post, random, reconnecting, repeating } from "./abuse.ts";

/** A lazy value. */
function lazy<T>(make: () => T): () => T {
  let made: T | undefined;
  return () => {
    made ??= make();
    return made;
  };
}

const sized = (bytes: Buffer): string => `Content-Length: ${bytes.length}\r\n`;

const posting = (bodies: () => readonly Buffer[], path = "ratings", headers = ""): Abuser =>
  repeating(({ keys }) => {
    const all = bodies();
    const body = all[random(all.length)] as Buffer;
    return [post(path, keys.write, `${headers}${sized(body)}`), body];
  });

const junk = lazy(() =>
  [
    `[${"1,".repeat(500_000)}1]`,
    `[${'{"a":{"b":{"c":[[[]]]}}},'.repeat(50_000)}{}]`,
    `[${"[".repeat(500_000)}`,
    `[${'"\\u0000\\ud800",'.repeat(80_000)}""]`,
    `${'{"id":,}'.repeat(120_000)}`,
  ].map((text) => Buffer.from(text)),
);

/** A megabyte of JSON without records, repeatedly. */
export const junkBody = posting(junk);

/** So many ratings; another edition has the same records with different texts. */
const ratings = (count: number, edition: number): Buffer =>
  Buffer.from(
    JSON.stringify(
      Array.from({ length: count }, (_, n) => ({ ...liveRecord("ratings", 0, n, 50), notes: `edition ${edition}` })),
    ),
  );

const bulk = lazy(() => Array.from({ length: 4 }, (_, edition) => ratings(5000, edition)));

/** 5,000 changed records in each body. */
export const bulkBody = posting(bulk);

const single = lazy(() => Array.from({ length: 50 }, (_, edition) => ratings(1, edition)));

/** One changed record in each body, one body after the other. */
export const singleRecord = posting(single);

const bomb = lazy(() => [gzipSync(Buffer.alloc(20_000_000, " "))]);

/** Small bodies that unpack to more than is allowed. */
export const gzipBomb = posting(bomb, "ratings?atomic=true", "Content-Encoding: gzip\r\n");

const chunk = (bytes: Buffer): Buffer =>
  Buffer.concat([Buffer.from(`${bytes.length.toString(16)}\r\n`), bytes, Buffer.from("\r\n")]);

const unfinished = { finishFlush: constants.Z_SYNC_FLUSH };

/** Just under 8 MB of the smallest records in well under 1 MB; the array is never closed. */
const endless = lazy(() => {
  const id = () =>
    random(36 ** 3)
      .toString(36)
      .padStart(3, "0");
  const records = Array.from({ length: 230_000 }, () => `{"id":"${id()}","date":"2024-01-02"}`);
  return chunk(gzipSync(`[${records.join(",")}`, unfinished));
});

/** Endless bodies to be stored atomically: a space every five seconds avoids the idle timeout. */
export const endlessBody: Abuser = (abuse) =>
  reconnecting(abuse, (socket) => {
    const headers = "Content-Encoding: gzip\r\nTransfer-Encoding: chunked\r\n";
    socket.write(post("ratings?atomic=true", abuse.keys.write, headers));
    socket.write(endless());
    const timer = setInterval(() => socket.write(chunk(deflateRawSync(" ", unfinished))), 5000);
    socket.on("close", () => clearInterval(timer));
  });
