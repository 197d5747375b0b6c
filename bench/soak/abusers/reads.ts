// Abusive reads: expensive ones, floods, and ones that are rejected.
import { setTimeout as pause } from "node:timers/promises";
import { generateKey } from "../../../src/keys/key.ts";
import { open } from "../raw-client.ts";
import { type Abuse, type Abuser, get, random, repeating } from "./abuse.ts";

const largePages = 90;

export const largePath = (): string =>
  `/api/v2.1/calendar/ratings?pagesize=1000&page=${random(largePages)}&parameters[importance]=${random(3)}`;

/** Sequential requests, nonstop, with the read key. */
const requesting = (path: (abuse: Abuse) => string, headers = ""): Abuser =>
  repeating((abuse) => get(path(abuse), abuse.keys.read, headers));

/** Large pages. */
export const largePage = requesting(largePath);

/** Large pages with the best compression. */
export const compressedPage = requesting(largePath, "Accept-Encoding: br\r\n");

/** Full texts as XML. */
export const xmlPage = requesting(
  () => `/api/v2/news?displayOutput=full&pageSize=100&page=${random(200)}`,
  "Accept: application/xml\r\n",
);

/** Small pages that aren't cached. */
export const uncached = requesting(() => `/api/v2/news?pageSize=${1 + random(100)}&page=${random(200)}`);

/** The deepest pages. */
export const deepPage = requesting(() => `/api/v2/news?pageSize=${1 + random(20)}&page=${9000 + random(1000)}`);

/** Items that don't exist. */
export const missingItem = requesting(() => `/api/v2/news/${1 + random(4_000_000_000)}`);

/** Filters that hardly overlap. */
export const manyTickers = requesting(({ tickers }) => {
  const order = ["sort=id:desc", "sort=id:asc", "updatedSince=0"][random(3)];
  const first = random(Math.max(1, tickers.length - 50));
  return `/api/v2/news?region=UY&${order}&pageSize=${1 + random(100)}&tickers=${tickers.slice(first, first + 50).join(",")}`;
});

/** Phrases of one repeated word, made distinct so that they aren't deduplicated. */
const repeated = (word: string, counts: readonly number[]): string =>
  counts.map((times) => Array(times).fill(word).join("%20")).join(",");

/** A common word as often as allowed: 16 times in a phrase, 64 times in all. */
export const commonWords = requesting(
  ({ commonWord }) =>
    `/api/v2/news?topics=${repeated(commonWord, [16, 15, 14, 13, 6])}&pageSize=${1 + random(100)}&page=${random(100)}`,
);

/** A common word far more often than that: up to 250 characters in each of 20 phrases. */
export const tooManyWords = requesting(({ commonWord }) => {
  const most = Math.floor(251 / (commonWord.length + 1));
  const counts = Array.from({ length: 20 }, (_, place) => most - place);
  return `/api/v2/news?topics=${repeated(commonWord, counts)}&pageSize=${1 + random(100)}`;
});

/** The change feed from its beginning. */
export const changeFeed = requesting(() => `/changes?after=${random(1000)}&limit=1000`);

/** Routes that the key has no scope for. */
export const forbidden = requesting(() => ["/admin/v1/keys", "/metrics", "/admin/v1/usage"][random(3)] as string);

/** Paths that don't exist. */
export const unknownPath = requesting(() => `/api/v2/${Math.random().toString(36).slice(2)}`);

/** Plausible but invalid keys. */
export const guessedKey = repeating(() => get("/api/v2/news", generateKey()), 10);

const nonsense = ({ read, write }: Abuse["keys"]): string[] => [
  "\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03",
  `GET /${"a".repeat(20_000)} HTTP/1.1\r\nHost: soak\r\n\r\n`,
  `GET / HTTP/1.1\r\nHost: soak\r\nX: ${"a".repeat(40_000)}\r\n\r\n`,
  `POST /admin/v1/records/news HTTP/1.1\r\nHost: soak\r\nAuthorization: Bearer ${write}\r\nContent-Length: 1000000\r\n\r\n[`,
  `GET /api/v2/news?${"topics=the&".repeat(300)} HTTP/1.1\r\nHost: soak\r\n\r\n`,
  get("/api/v2/news?topics=%27%22%3B--&page=99999999&pageSize=-1", read),
];

/** Sends malformed or unserviceable requests, and disconnects. */
export const malformed: Abuser = async ({ target, keys, tally, stopped }) => {
  while (!stopped.aborted) {
    const all = nonsense(keys);
    await new Promise<void>((resolve) => {
      const socket = open(target, tally, resolve);
      socket.write(all[random(all.length)] as string);
      setTimeout(() => socket.destroy(), 50 + Math.random() * 500);
    });
    await pause(1);
  }
};
