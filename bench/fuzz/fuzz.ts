// Fuzzing over real sockets: 100,000 requests with randomly mutated URLs and headers. Expects no 5xx and no crash.
import { connect, type Socket } from "node:net";
import { type Benchmark, printTable, type Result } from "../benchmark.ts";
import { startBellwire } from "../contenders/bellwire.ts";
import { usageOf } from "../driver/machine.ts";
import { quickSizes, sqliteData } from "../records/database.ts";
import { fuzzedRequest } from "./requests.ts";

const connections = 24;
const responseTimeoutMs = 60_000;

type Found = { readonly number: number; readonly what: string };

/** Returns the status of each response; 0 if the connection was closed instead, -1 after a timeout. */
class Connection {
  #socket: Socket | undefined;
  readonly #port: number;

  constructor(port: number) {
    this.#port = port;
  }

  send(bytes: Buffer, isHead: boolean): Promise<number> {
    if (this.#socket === undefined || this.#socket.destroyed) {
      this.#socket = connect(this.#port, "127.0.0.1").on("error", () => {});
    }
    const socket = this.#socket;
    return new Promise((resolve) => {
      let got = Buffer.alloc(0);
      const done = (status: number, close: boolean) => {
        clearTimeout(limit);
        socket.removeAllListeners("data").removeAllListeners("close");
        if (close) socket.destroy();
        resolve(status);
      };
      const limit = setTimeout(() => done(-1, true), responseTimeoutMs);
      socket.on("close", () => done(statusOf(got, true), true));
      socket.on("data", (chunk: Buffer) => {
        got = Buffer.concat([got, chunk]);
        const status = wholeStatus(got, isHead);
        if (status !== undefined) done(status, closes(got));
      });
      socket.write(bytes);
    });
  }

  end(): void {
    this.#socket?.destroy();
  }
}

const headOf = (bytes: Buffer): string | undefined => {
  const end = bytes.indexOf("\r\n\r\n");
  return end === -1 ? undefined : bytes.toString("latin1", 0, end);
};

const closes = (bytes: Buffer): boolean => /^connection: close/im.test(headOf(bytes) ?? "");

const statusOf = (bytes: Buffer, isOver: boolean): number => {
  const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(bytes.toString("latin1", 0, 20))?.[1] ?? 0);
  return isOver && bytes.length > 0 && status === 0 ? -2 : status;
};

/** The status of the final response once it is complete. */
function wholeStatus(bytes: Buffer, isHead: boolean): number | undefined {
  const head = headOf(bytes);
  if (head === undefined) return undefined;
  const status = statusOf(bytes, false);
  if (status >= 100 && status < 200) return wholeStatus(bytes.subarray(head.length + 4), isHead);
  const length =
    isHead || status === 304 || status === 204 ? 0 : Number(/^content-length: (\d+)/im.exec(head)?.[1] ?? 0);
  return bytes.length >= head.length + 4 + length ? status : undefined;
}

export const fuzzBenchmark: Benchmark = {
  name: "fuzz",
  about: "100,000 requests with randomly mutated URLs and headers, over real sockets",
  fullOnly: true,
  run: async ({ quick, records: wanted, say }) => {
    const amount = wanted ?? (quick ? 10_000 : 100_000);
    const seed = Math.floor(Math.random() * 1e9);
    const data = await sqliteData(quickSizes, say);
    const server = await startBellwire(data.file);
    const port = Number(new URL(server.url).port);
    const statuses = new Map<number, number>();
    const wrong: Found[] = [];
    let next = 0;
    const began = performance.now();
    const client = async () => {
      const connection = new Connection(port);
      for (let number = next++; number < amount; number = next++) {
        const { bytes, isHead, isSound } = fuzzedRequest(seed, number, data.token);
        const status = await connection.send(bytes, isHead);
        // Leftover bytes would be parsed as the start of the next request.
        if (!isSound) connection.end();
        statuses.set(status, (statuses.get(status) ?? 0) + 1);
        const isWrong = status >= 500 || status < 0 || (status === 0 && isSound);
        if (isWrong)
          wrong.push({
            number,
            what: `${status}: ${bytes.toString("latin1").replaceAll(data.token, "KEY").slice(0, 400)}`,
          });
        if (number % 20_000 === 19_999) say(`${number + 1} requests`);
      }
      connection.end();
    };
    try {
      await Promise.all(Array.from({ length: connections }, client));
      const seconds = (performance.now() - began) / 1000;
      const isAlive = await fetch(`${server.url}/livez`).then(
        ({ ok }) => ok,
        () => false,
      );
      return resultOf({ amount, seed, seconds, statuses, wrong, isAlive, rss: usageOf([server.pid])?.rssBytes ?? 0 });
    } finally {
      await server.stop();
    }
  },
};

type Outcome = {
  readonly amount: number;
  readonly seed: number;
  readonly seconds: number;
  readonly statuses: ReadonlyMap<number, number>;
  readonly wrong: readonly Found[];
  readonly isAlive: boolean;
  readonly rss: number;
};

function resultOf({ amount, seed, seconds, statuses, wrong, isAlive, rss }: Outcome): Result {
  const words = new Map([
    [0, "closed without an answer"],
    [-1, "no answer in a minute"],
    [-2, "no HTTP"],
  ]);
  const rows = [...statuses]
    .sort(([a], [b]) => a - b)
    .map(([status, many]) => [words.get(status) ?? `${status}`, `${many}`]);
  const faults = wrong.length;
  const text = [
    printTable(["status", "answers"], rows),
    "",
    `${amount} requests in ${seconds.toFixed(0)} s (seed ${seed}); memory at the end ${Math.round(rss / 1e6)} MB`,
    `5xx, unanswered or not HTTP: ${faults} ${faults === 0 ? "reached" : "MISSED"} (target 0)`,
    `the server still responds: ${isAlive ? "yes reached" : "no MISSED"}`,
    ...wrong.slice(0, 10).map(({ number, what }) => `  ${number}: ${JSON.stringify(what)}`),
  ].join("\n");
  const figures = { seed, seconds, statuses: Object.fromEntries(statuses), wrong: wrong.slice(0, 100), rss };
  return { sizes: { requests: amount }, text, missed: (faults > 0 ? 1 : 0) + (isAlive ? 0 : 1), figures };
}
