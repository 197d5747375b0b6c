// What the thread that reads does: runs the statements that it is given, reshapes their pages, and tells the rows.
import { parentPort, workerData } from "node:worker_threads";
import { reshapeNamed } from "../../core/reshape.ts";
import type { Resource } from "../../core/resource.ts";
import { type Given, reshaped } from "../page.ts";
import { StoreError } from "../store.ts";
import { Connection, SlowError } from "./connection.ts";
import type { Asked, Failure, Reading, ThreadOptions, Told } from "./reading-thread.ts";
import { lengthOf } from "./rounds.ts";

/** Length of pages that are told together: they go out while the next ones are read. */
const mostLength = 131_072;

export function serveReads(catalog: readonly Resource[]): void {
  const port = parentPort;
  if (port === null) throw new Error("the program of the thread that reads was started as a process");
  const { file, limitMs } = workerData as ThreadOptions;
  const connection = new Connection(file, { readOnly: true, limitMs });
  port.on("message", (asked: Asked) => {
    if (asked.length === 0) {
      connection.close();
      port.close();
      return;
    }
    for (let at = 0; at < asked.length; ) {
      const { told, moved } = readSome(connection, catalog, asked.slice(at));
      port.postMessage(told, moved);
      at += told.rows.length;
    }
  });
  // From now on it can be asked.
  port.postMessage({ rows: [], failures: undefined } satisfies Told);
}

/** Reads until the pages are as long as they may be together; the bytes of pages are moved, not copied. */
function readSome(
  connection: Connection,
  catalog: readonly Resource[],
  asked: Asked,
): { told: Told; moved: ArrayBuffer[] } {
  const rows: Given[] = [];
  const moved: ArrayBuffer[] = [];
  let failures: Record<number, Failure> | undefined;
  let length = 0;
  for (const reading of asked) {
    try {
      const row = read(connection, catalog, reading);
      const page = row?.page;
      if (page instanceof Uint8Array) moved.push(page.buffer as ArrayBuffer);
      length += lengthOf(page);
      rows.push(row);
    } catch (error) {
      failures ??= {};
      failures[rows.length] = failureOf(error as Error);
      rows.push(undefined);
    }
    if (length >= mostLength) break;
  }
  return { told: { rows, failures }, moved };
}

function read(connection: Connection, catalog: readonly Resource[], { sql, parameters, shape }: Reading): Given {
  const row = connection.get(sql, ...parameters);
  const table = shape && catalog.find(({ name }) => name === shape.table);
  const reshape = shape && table && reshapeNamed(shape, table);
  // What is not known here is reshaped by whoever asked.
  return table === undefined || reshape === undefined ? row : reshaped(row, table, reshape);
}

function failureOf(error: Error): Failure {
  const kind = error instanceof SlowError ? "slow" : error instanceof StoreError ? "store" : "fault";
  return { kind, message: error.message };
}
