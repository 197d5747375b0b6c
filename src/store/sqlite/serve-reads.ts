// What the thread that reads does: runs the statements that it is given, reshapes their pages, and tells the rows.
import { parentPort, workerData } from "node:worker_threads";
import { type Reshape, reshapeNamed } from "../../core/reshape.ts";
import type { Resource } from "../../core/resource.ts";
import { type Given, reshaped } from "../page.ts";
import { ExpensiveError, StoreError } from "../store.ts";
import { Connection } from "./connection.ts";
import type { Asked, Failure, Kind, ThreadOptions, Told } from "./reading-thread.ts";
import { lengthOf } from "./rounds.ts";

/** Length of pages that are told together: they go out while the next ones are read. */
const mostLength = 131_072;

export function serveReads(catalog: readonly Resource[]): void {
  const port = parentPort;
  if (port === null) throw new Error("the program of the thread that reads was started as a process");
  const { file, limitMs } = workerData as ThreadOptions;
  const connection = new Connection(file, { readOnly: true, limitMs });
  const known: Known[] = [];
  port.on("message", ({ from, kinds, readings }: Asked) => {
    if (readings.length === 0) {
      connection.close();
      port.close();
      return;
    }
    if (kinds.length > 0) known.splice(from, known.length, ...kinds.map((kind) => knownOf(kind, catalog)));
    for (let at = 0; at < readings.length; ) {
      const { told, moved } = readSome(connection, known, readings.slice(at));
      port.postMessage(told, moved);
      at += told.rows.length;
    }
  });
  // From now on it can be asked.
  port.postMessage({ rows: [], failures: undefined } satisfies Told);
}

/** A kind of readings, with what its pages are made by. */
type Known = {
  readonly sql: string;
  readonly shaping: { readonly table: Resource; readonly reshape: Reshape } | undefined;
};

/** What is not known here is reshaped by whoever asked. */
function knownOf({ sql, shape }: Kind, catalog: readonly Resource[]): Known {
  const table = shape && catalog.find(({ name }) => name === shape.table);
  const reshape = shape && table && reshapeNamed(shape, table);
  return { sql, shaping: table && reshape && { table, reshape } };
}

/** Reads until the pages are as long as they may be together; the bytes of pages are moved, not copied. */
function readSome(
  connection: Connection,
  known: readonly Known[],
  readings: Asked["readings"],
): { told: Told; moved: ArrayBuffer[] } {
  const rows: Given[] = [];
  const moved: ArrayBuffer[] = [];
  let failures: Record<number, Failure> | undefined;
  let length = 0;
  for (const [kind, parameters] of readings) {
    try {
      const row = read(connection, known[kind] as Known, parameters);
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

function read(connection: Connection, { sql, shaping }: Known, parameters: readonly unknown[]): Given {
  const row = connection.get(sql, ...parameters);
  return shaping === undefined ? row : reshaped(row, shaping.table, shaping.reshape);
}

function failureOf(error: Error): Failure {
  const kind = error instanceof ExpensiveError ? "expensive" : error instanceof StoreError ? "store" : "fault";
  return { kind, message: error.message };
}
