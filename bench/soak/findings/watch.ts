// Well-behaved clients at low load, each kind of request in a separate process, with abusers alongside.
import { setTimeout as pause } from "node:timers/promises";
import type { BenchRequest } from "../../driver/request.ts";
import type { AbuseOrder } from "../abuse-process.ts";
import type { Crowd } from "../abusers/kinds.ts";
import type { GoodOrder, GoodReport } from "../good-process.ts";
import { childOf, reportOf } from "../processes.ts";
import { type Stage, type StageData, startStage } from "../stage.ts";

type Counts = Readonly<Record<string, number>>;

export type Watched = { readonly lists: GoodReport; readonly livez: GoodReport };

export type Watch = {
  readonly stage: Stage;
  /** Small lists and /livez at low load, for so long. */
  watch(seconds: number): Promise<Watched>;
  /** Small lists only, from clients that pause briefly between requests. */
  read(clients: number, seconds: number): Promise<GoodReport>;
  /** Starts abusers, and a second later the work; returns the abusers' responses. */
  withAbuse<T>(crowd: Crowd, work: () => Promise<T>): Promise<{ readonly result: T; readonly abuse: Counts }>;
};

const listsPerSecond = 25;
const probesPerSecond = 25;

type Start = { readonly flags?: readonly string[]; readonly nodeFlags?: readonly string[] };

/** Starts a server and its clients, and stops them when the work is done. */
export async function watching<T>(data: StageData, work: (watch: Watch) => Promise<T>, start: Start = {}): Promise<T> {
  const stage = await startStage(data, start);
  const [lists, livez, abusers] = [childOf("good-process.ts"), childOf("good-process.ts"), childOf("abuse-process.ts")];
  const { url, target, keys, tickers, commonWord } = stage;
  const order = { url, requests: listRequests(stage) };
  try {
    // Warms up both sides.
    await reportOf<GoodReport>(lists, { ...order, seconds: 2, perSecond: 100 } satisfies GoodOrder);
    return await work({
      stage,
      watch: async (seconds) => {
        const probe: GoodOrder = { url, requests: [{ path: "/livez" }], seconds, perSecond: probesPerSecond };
        const [listReport, livezReport] = await Promise.all([
          reportOf<GoodReport>(lists, { ...order, requests: listRequests(stage), seconds, perSecond: listsPerSecond }),
          reportOf<GoodReport>(livez, probe),
        ]);
        return { lists: listReport, livez: livezReport };
      },
      read: (clients, seconds) =>
        reportOf<GoodReport>(lists, { ...order, requests: listRequests(stage), seconds, clients }),
      withAbuse: async (crowd, during) => {
        abusers.send({ target, keys, tickers, commonWord, crowd } satisfies AbuseOrder);
        await pause(1000);
        const result = await during();
        return { result, abuse: await reportOf<Counts>(abusers, "end") };
      },
    });
  } finally {
    for (const child of [lists, livez, abusers]) child.kill();
    await stage.stop();
  }
}

/** Half are the same few pages, which may be cached; the others are always new. */
function listRequests({ keys, tickers }: Stage): BenchRequest[] {
  const headers = { authorization: `Bearer ${keys.good}` };
  const below = (count: number) => Math.floor(Math.random() * count);
  const ticker = () => tickers[below(tickers.length)];
  const fresh = [
    () => `/api/v2/news?tickers=${ticker()}&pageSize=${10 + below(50)}`,
    () => `/api/v2/news?pageSize=${10 + below(50)}&page=${below(50)}`,
    () => `/api/v2.1/calendar/ratings?parameters[tickers]=${ticker()}&pagesize=${10 + below(50)}`,
    () => `/api/v2.1/calendar/ratings?pagesize=${10 + below(50)}&page=${below(50)}`,
    () => `/api/v2.1/calendar/earnings?parameters[tickers]=${ticker()}&pagesize=${10 + below(50)}`,
  ];
  const hot = ["/api/v2/news", "/api/v2.1/calendar/ratings", "/api/v2/news?displayOutput=abstract&pageSize=20"];
  return Array.from({ length: 5000 }, (_, n) => {
    const path = n % 2 === 0 ? hot[(n / 2) % hot.length] : fresh[below(fresh.length)]?.();
    return { path: path as string, headers };
  });
}

/** Responses to abusers, most frequent first. */
export const met = (abuse: Counts): string =>
  Object.entries(abuse)
    .sort(([, a], [, b]) => b - a)
    .map(([what, many]) => `${what} ${many}`)
    .join(", ");
