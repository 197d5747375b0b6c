// Operations of a load, in the writer thread; there is at most one load at a time.

import type { LoadOptions, LoadResult } from "../../store.ts";
import { BulkWriter } from "../load/bulk-writer.ts";
import type { PreparedRow } from "../write/prepare-row.ts";
import type { Connections } from "./connections.ts";
import type { FindResource } from "./operations.ts";

export function loadOperations(connections: Connections, findResource: FindResource) {
  let current: BulkWriter | undefined;
  const load = (): BulkWriter => {
    if (current === undefined) throw new Error("no load has begun");
    return current;
  };
  const end = (): void => {
    current = undefined;
    connections.closeLoad();
  };
  return {
    beginLoad: (resource: string, at: number, options: LoadOptions): void => {
      try {
        current = new BulkWriter(connections.openLoad(), findResource(resource), at, options);
      } catch (error) {
        end();
        throw error;
      }
    },
    putLoad: (rows: readonly PreparedRow[]): void => load().put(rows),
    /** The number of steps before the commit. */
    loadSteps: (): number => load().steps,
    stepLoad: (step: number): void => load().step(step),
    commitLoad: (): LoadResult => {
      const result = load().commit();
      end();
      return result;
    },
    rollbackLoad: (): void => {
      current?.rollback();
      end();
    },
  };
}
