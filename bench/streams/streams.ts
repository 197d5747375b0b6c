// Streams: thousands of subscribers on different tickers while records are written; latency, memory, and what it costs lists.
import { loadavg } from "node:os";
import { join } from "node:path";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { setTimeout as pause } from "node:timers/promises";
import { validateRecord } from "../../src/core/record/validate.ts";
import { generateKey, hashKey } from "../../src/keys/key.ts";
import { openSqlite } from "../../src/open-sqlite.ts";
import { ratings } from "../../src/resources/ratings.ts";
import type { Store } from "../../src/store/store.ts";
import { type Benchmark, inFolder, median, type Options, printTable } from "../benchmark.ts";
import { startBellwire } from "../contenders/bellwire.ts";
import { usageOf } from "../driver/machine.ts";
import { recordsPerSecond } from "../load/importer.ts";
import { type Fact, isWithin } from "../load/outcome.ts";
import { type Subscribers, subscribe } from "./subscribers.ts";

const list = "/api/v2.1/calendar/ratings";
/** Subscribers that never read. */
const deafCount = 100;
/** Alternating periods with and without records, in which lists are read. */
const periods = 6;
const periodSeconds = 5;
/** Concurrent requests for lists: enough to occupy the server. */
const readers = 16;

export const streamsBenchmark: Benchmark = {
  name: "streams",
  about: "5,000 subscribers on different tickers, 50 records a second: latency, memory, and the speed of lists",
  fullOnly: true,
  run: (options) => inFolder((folder) => measure(join(folder, "streams.db"), options)),
};

async function measure(database: string, { quick, connections, seconds, say }: Options) {
  const count = connections ?? (quick ? 500 : 5000);
  const duration = seconds ?? (quick ? 10 : 60);
  const store = openSqlite({ file: database });
  await store.prepare();
  const token = generateKey();
  await store.addKey({ name: "bench", hash: hashKey(token), created: 0 });
  const flags = ["--key-streams", "0", "--address-connections", "20000", "--connections", "20000"];
  const server = await startBellwire(database, flags);
  const url = new URL(server.url);
  const writer = new Writer(store, count);
  try {
    await warmUp(url, token);
    const before = usageOf([server.pid]);
    const reading = await subscribe({ url, token, count, pathOf: tickerPath, onRecord: writer.arrived });
    // Garbage of the handshakes.
    await pause(5000);
    const after = usageOf([server.pid]);
    const memory = ((after?.rssBytes ?? 0) - (before?.rssBytes ?? 0)) / count;
    say(`${count} subscribers, ${Math.round(memory)} bytes each`);
    const quiet = await writing(writer, reading, duration, server.pid);
    const lists = await listSpeed(writer, url, token, server.pid, say);
    const everything = { url, token, count: deafCount, pathOf: () => `${list}/stream`, isDeaf: true };
    const deaf = await subscribe({ ...everything, onRecord: () => {} });
    const noisy = await writing(writer, reading, duration, server.pid);
    deaf.close();
    reading.close();
    return result(
      [
        { what: "commit to client, p50", unit: "ms", value: quiet.p50, most: 50 },
        { what: "commit to client, p99", unit: "ms", value: quiet.p99, most: 250 },
        { what: "delay of the driver itself, p99", unit: "ms", value: quiet.driverMs },
        { what: `p99 with ${deafCount} that never read`, unit: "ms", value: noisy.p99, most: 250 },
        { what: "records that didn't arrive", unit: "", value: quiet.lost + noisy.lost, most: 0 },
        { what: "memory per subscriber", unit: "bytes", value: memory, most: 20_000 },
        { what: "CPU of the server", unit: "of a core", value: quiet.cpuShare },
        { what: "speed of lists by CPU time, of that without records", unit: "", value: lists.cpu, least: 0.9 },
        { what: "speed of lists", unit: "", value: lists.speed },
        { what: "load of the machine", unit: "", value: loadavg()[0] ?? 0 },
      ],
      { subscribers: count, seconds: duration },
    );
  } finally {
    await server.stop();
    await store.close();
  }
}

const tickerPath = (index: number): string => `${list}/stream?parameters[tickers]=T${index}`;

const read = async (url: URL, token: string, ticker: number): Promise<void> => {
  const response = await fetch(new URL(`${list}?parameters[tickers]=T${ticker}`, url), {
    headers: { authorization: `Bearer ${token}` },
  });
  await response.text();
};

async function warmUp(url: URL, token: string): Promise<void> {
  for (let at = 0; at < 2000; at++) await read(url, token, at);
  await pause(2000);
}

/** Writes a record at a time, each for one subscriber. */
class Writer {
  readonly #store: Store;
  readonly #tickers: number;
  readonly #committed = new Map<string, number>();
  readonly #arrived = new Map<string, number>();
  #made = 0;

  constructor(store: Store, tickers: number) {
    this.#store = store;
    this.#tickers = tickers;
  }

  readonly arrived = (id: string): void => void this.#arrived.set(id, performance.now());

  async run(isOver: () => boolean): Promise<void> {
    const startedAt = performance.now();
    for (let written = 1; !isOver(); written++) {
      const id = `r${++this.#made}`;
      const ticker = `T${(this.#made * 7919) % this.#tickers}`;
      const accepted = validateRecord(ratings, { id, ticker, date: "2026-01-15" }, Math.floor(Date.now() / 1000));
      if (!("row" in accepted)) throw new Error("the record is invalid");
      await this.#store.put(ratings, [accepted]);
      this.#committed.set(id, performance.now());
      await pause(Math.max(0, startedAt + (written * 1000) / recordsPerSecond - performance.now()));
    }
  }

  /** Milliseconds from commit to arrival of the records since the last call; a record may arrive before its commit is reported. */
  latencies(): { readonly sorted: readonly number[]; readonly lost: number } {
    const all = [...this.#committed].map(([id, at]) => (this.#arrived.get(id) ?? Number.NaN) - at);
    const arrived = all.filter((each) => !Number.isNaN(each)).map((each) => Math.max(0, each));
    this.#committed.clear();
    this.#arrived.clear();
    return { sorted: arrived.toSorted((a, b) => a - b), lost: all.length - arrived.length };
  }
}

async function writing(writer: Writer, reading: Subscribers, seconds: number, pid: number) {
  writer.latencies();
  const [startedAt, before] = [performance.now(), usageOf([pid])];
  // How late the driver gets the processor: on a busy machine, that is most of a high percentile.
  const delay = monitorEventLoopDelay({ resolution: 5 });
  delay.enable();
  await writer.run(() => performance.now() - startedAt >= seconds * 1000);
  delay.disable();
  const cpu = (usageOf([pid])?.cpuSeconds ?? 0) - (before?.cpuSeconds ?? 0);
  // Until nothing more arrives.
  for (let events = -1; events !== reading.events; await pause(1000)) events = reading.events;
  const { sorted, lost } = writer.latencies();
  const at = (part: number): number => sorted[Math.floor(sorted.length * part)] ?? Number.NaN;
  const driverMs = delay.percentile(99) / 1e6;
  return { p50: at(0.5), p99: at(0.99), lost, cpuShare: cpu / seconds, driverMs };
}

/**
 * Requests per second while records are written, of those without, and the same by the server's CPU time per request;
 * periods alternate, so that both see the same machine.
 */
async function listSpeed(writer: Writer, url: URL, token: string, pid: number, say: Options["say"]) {
  const cpuSeconds = (): number => usageOf([pid])?.cpuSeconds ?? 0;
  const period = async (isWriting: boolean): Promise<{ speed: number; cpuMs: number }> => {
    const until = performance.now() + periodSeconds * 1000;
    const isOver = () => performance.now() >= until;
    const before = cpuSeconds();
    const written = isWriting ? writer.run(isOver) : undefined;
    let requests = 0;
    const reader = async (): Promise<void> => {
      while (!isOver()) await read(url, token, requests++);
    };
    await Promise.all(Array.from({ length: readers }, reader));
    await written;
    return { speed: requests / periodSeconds, cpuMs: ((cpuSeconds() - before) * 1000) / requests };
  };
  const ratios: { speed: number; cpu: number }[] = [];
  for (let round = 0; round < periods; round++) {
    const [idle, busy] = [await period(false), await period(true)];
    ratios.push({ speed: busy.speed / idle.speed, cpu: idle.cpuMs / busy.cpuMs });
    say(`lists: ${Math.round(idle.speed)} a second without records, ${Math.round(busy.speed)} with`);
  }
  return { speed: median(ratios.map(({ speed }) => speed)), cpu: median(ratios.map(({ cpu }) => cpu)) };
}

function result(facts: readonly Fact[], sizes: Readonly<Record<string, number>>) {
  const bound = ({ least, most }: Fact): string =>
    least === undefined ? (most === undefined ? "" : `at most ${most}`) : `at least ${least}`;
  const rows = facts.map((fact) => [
    fact.what,
    `${fact.value >= 100 ? Math.round(fact.value) : fact.value.toFixed(2)} ${fact.unit}`.trim(),
    bound(fact),
    isWithin(fact.value, fact) ? "" : "missed",
  ]);
  const missed = facts.filter((fact) => !isWithin(fact.value, fact)).length;
  return { sizes, text: printTable(["", "measured", "target", ""], rows), missed, figures: { facts } };
}
