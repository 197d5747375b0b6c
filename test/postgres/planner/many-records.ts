// A store with many records of several resources, and their rows for in-memory evaluation.
import type { Row } from "../../../src/core/record/row.ts";
import type { Store } from "../../../src/store/store.ts";
import { type RecordInput, resourceNamed } from "../../support/clients/api.ts";
import { rowsOf } from "../../support/requests/requests.ts";

/** Creates the nth record of a resource. */
export type Made = Readonly<Record<string, (at: number) => RecordInput>>;

export async function putMany(store: Store, made: Made, count: number): Promise<ReadonlyMap<string, Row[]>> {
  const rows = new Map<string, Row[]>();
  for (const [name, make] of Object.entries(made)) {
    const resource = resourceNamed(name);
    const all = rowsOf(
      resource,
      Array.from({ length: count }, (_, at) => make(at)),
    );
    rows.set(name, all);
    await store.put(
      resource,
      all.map((row) => ({ row, stamped: false })),
    );
  }
  return rows;
}
