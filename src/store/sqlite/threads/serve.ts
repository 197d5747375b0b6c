// The main loop of a SQLite thread: runs the calls it receives, and replies with their results.
import { parentPort, workerData } from "node:worker_threads";
import type { Resource } from "../../../core/catalog/resource.ts";
import { migrations as frozen, type Migration } from "../../migrate.ts";
import { Connections } from "./connections.ts";
import { type Call, failureOf, type Reply, type Request, sharedSlots } from "./messages.ts";
import { type Operations, operationsFor } from "./operations.ts";

/** Total length of pages per reply: a reply is sent while the next pages are read. */
const replyLength = 131_072;

type Operation = (...args: readonly unknown[]) => unknown;

/** The migrations are those of this version unless a test passes its own. */
export function serveThread(catalog: readonly Resource[], migrations: readonly Migration[] = frozen): void {
  const port = parentPort;
  if (port === null) throw new Error("this program must run in a worker thread");
  const shared = workerData as BigInt64Array;
  let connections: Connections | undefined;
  let operations: Operations | undefined;
  const send = (reply: Reply, transferList: ArrayBuffer[] = []) => port.postMessage(reply, transferList);

  port.on("message", (request: Request) => {
    if ("attach" in request) {
      connections = new Connections(request.attach);
      operations = operationsFor(connections, catalog, migrations);
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
  send: (reply: Reply, transferList?: ArrayBuffer[]) => void,
): void {
  let results: [number, unknown][] = [];
  let failures: [number, ReturnType<typeof failureOf>][] = [];
  let transferList: ArrayBuffer[] = [];
  let length = 0;
  const flush = () => {
    if (results.length + failures.length > 0)
      send(failures.length === 0 ? { results } : { results, failures }, transferList);
    results = [];
    failures = [];
    transferList = [];
    length = 0;
  };
  for (const [id, name, args] of calls) {
    // Moved to another thread.
    if (BigInt(id) <= Atomics.load(shared, sharedSlots.skipped)) continue;
    Atomics.store(shared, sharedSlots.running, BigInt(id));
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
      // The bytes of a page are transferred, not copied.
      if (page instanceof Uint8Array) transferList.push(page.buffer as ArrayBuffer);
      if (page instanceof Uint8Array || typeof page === "string") length += page.length;
      results.push([id, value]);
    } catch (error) {
      failures.push([id, failureOf(error)]);
    }
    if (length >= replyLength) flush();
  }
  flush();
}

/** If closing fails, the end of the process closes the connections. */
function close(connections: Connections | undefined): void {
  try {
    connections?.close();
  } catch {}
}
