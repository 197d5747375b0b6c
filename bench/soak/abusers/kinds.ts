// All kinds of abusive clients by name.
import type { Abuser } from "./abuse.ts";
import * as connections from "./connections.ts";
import * as reads from "./reads.ts";
import * as writes from "./writes.ts";

export const kinds = {
  slowHeaders: connections.slowHeaders,
  slowBody: connections.slowBody,
  silent: connections.silent,
  neverCloses: connections.neverCloses,
  slowReader: connections.slowReader,
  pipeliner: connections.pipeliner,
  reconnector: connections.reconnector,
  deserter: connections.deserter,
  largePage: reads.largePage,
  compressedPage: reads.compressedPage,
  xmlPage: reads.xmlPage,
  uncached: reads.uncached,
  deepPage: reads.deepPage,
  missingItem: reads.missingItem,
  manyTickers: reads.manyTickers,
  commonWords: reads.commonWords,
  tooManyWords: reads.tooManyWords,
  changeFeed: reads.changeFeed,
  forbidden: reads.forbidden,
  unknownPath: reads.unknownPath,
  guessedKey: reads.guessedKey,
  malformed: reads.malformed,
  junkBody: writes.junkBody,
  bulkBody: writes.bulkBody,
  singleRecord: writes.singleRecord,
  gzipBomb: writes.gzipBomb,
  endlessBody: writes.endlessBody,
} satisfies Readonly<Record<string, Abuser>>;

export type Kind = keyof typeof kinds;

/** How many clients of which kinds. */
export type Crowd = Readonly<Partial<Record<Kind, number>>>;

/** Each kind in the number that one abuser could afford. */
export const everyKind: Readonly<Record<Kind, number>> = {
  slowHeaders: 60,
  slowBody: 10,
  silent: 40,
  neverCloses: 20,
  slowReader: 40,
  pipeliner: 20,
  reconnector: 4,
  deserter: 4,
  largePage: 8,
  compressedPage: 2,
  xmlPage: 2,
  uncached: 4,
  deepPage: 2,
  missingItem: 2,
  manyTickers: 2,
  commonWords: 2,
  tooManyWords: 2,
  changeFeed: 6,
  forbidden: 2,
  unknownPath: 2,
  guessedKey: 8,
  malformed: 4,
  junkBody: 2,
  bulkBody: 1,
  singleRecord: 2,
  gzipBomb: 2,
  endlessBody: 2,
};
