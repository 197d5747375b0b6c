// What a thread that runs SQLite does: carries out the calls it receives, and replies with their results.
import { parentPort, workerData } from "node:worker_threads";
import type { Resource } from "../../../core/catalog/resource.ts";
import { migrations as frozen, type Migration } from "../../migrate.ts";
import { Connections } from "./connections.ts";
import { type Call, failureOf, progress, type Reply, type Request } from "./messages.ts";
import { type Operations, operationsOn } from "./operations.ts";

/** Length of pages in one reply: they are sent while the next ones are read. */
const replyLength = 131_072;

type Operation = (...args: readonly unknown[]) => unknown;

/** The migrations are those of this version unless a test passes its own. */
export function serveThread(catalog: readonly Resource[], migrations: readonly Migration[] = frozen): void {
  const port = parentPort;
  if (port === null) throw new Error("this is the program of a thread, not of a process");
  const shared = workerData as BigInt64Array;
  let connections: Connections | undefined;
  let operations: Operations | undefined;
  const send = (reply: Reply, moved: ArrayBuffer[] = []) => port.postMessage(reply, moved);

  port.on("message", (request: Request) => {
    if ("attach" in request) {
      connections = new Connections(request.attach);
      operations = operationsOn(connections, catalog, migrations);
    } else if ("detach" in request) {
      close(connections);
      connections = undefined;
      send({ results: [], detached: true });
    } else {
      run(operations as unknown as Readonly<Record<string, Operation>>, request.calls, shared, send);
    }
  });
}

function run(
  operations: Readonly<Record<string, Operation>>,
  calls: readonly Call[],
  shared: BigInt64Array,
  send: (reply: Reply, moved?: ArrayBuffer[]) => void,
): void {
  let results: [number, unknown][] = [];
  let failures: [number, ReturnType<typeof failureOf>][] = [];
  let moved: ArrayBuffer[] = [];
  let length = 0;
  const flush = () => {
    if (results.length + failures.length > 0) send(failures.length === 0 ? { results } : { results, failures }, moved);
    results = [];
    failures = [];
    moved = [];
    length = 0;
  };
  for (const [id, name, args] of calls) {
    // Another thread has taken it over.
    if (BigInt(id) <= Atomics.load(shared, progress.skipped)) continue;
    Atomics.store(shared, progress.running, BigInt(id));
    try {
      const value = (operations[name] as Operation)(...args);
      if (value instanceof Promise) {
        value.then(
          (later) => send({ results: [[id, later]] }),
          (error: unknown) => send({ results: [], failures: [[id, failureOf(error)]] }),
        );
        continue;
      }
      const page = (value as { page?: unknown } | undefined)?.page;
      // The bytes of a page are moved, not copied.
      if (page instanceof Uint8Array) moved.push(page.buffer as ArrayBuffer);
      if (page instanceof Uint8Array || typeof page === "string") length += page.length;
      results.push([id, value]);
    } catch (error) {
      failures.push([id, failureOf(error)]);
    }
    if (length >= replyLength) flush();
  }
  flush();
}

/** What can't be closed properly is closed by the end of the process. */
function close(connections: Connections | undefined): void {
  try {
    connections?.close();
  } catch {}
}
