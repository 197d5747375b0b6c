// Where a workload runs: on shared servers, on a copy of the data during an import, or on newly started servers.
import { constants, copyFileSync, existsSync } from "node:fs";
import { join } from "node:path";
import type { Contender } from "../contenders/contender.ts";
import type { Field } from "../contenders/field.ts";
import type { BenchData } from "../records/database.ts";
import { tickersFor } from "../records/ratings.ts";
import { temporaryFolder } from "../temporary.ts";
import type { ContenderName, Workload } from "../workloads/workload.ts";
import { recordsPerSecond, startImporter } from "./importer.ts";

export type Stage = {
  contender(name: ContenderName): Promise<Contender | undefined>;
  /** Runs the background load during `work`, which receives the PIDs of its processes. */
  during<T>(work: (otherPids: readonly number[]) => Promise<T>): Promise<T>;
  /** After one lane of one round. */
  leave(name: ContenderName, contender: Contender): Promise<void>;
  /** Share of the expected records that were imported; undefined without an import. */
  pace(): number | undefined;
  close(): Promise<void>;
};

export async function stageFor(workload: Workload, field: Field, data: BenchData): Promise<Stage> {
  if (workload.importing) return writtenStage(field, data);
  const shared: Stage = {
    contender: field.get,
    during: (work) => work([]),
    leave: async () => {},
    pace: () => undefined,
    close: async () => {},
  };
  if (workload.cold === undefined && !workload.restart) return shared;
  return {
    ...shared,
    contender: (name) => field.fresh(name),
    leave: (_name, contender) => contender.stop(),
  };
}

/** Includes the WAL, which a running server keeps open. There must be no writers. */
export function copyDatabase(from: string, to: string): void {
  for (const end of ["", "-wal"]) {
    // Copy-on-write if the file system supports it.
    if (existsSync(`${from}${end}`)) copyFileSync(`${from}${end}`, `${to}${end}`, constants.COPYFILE_FICLONE);
  }
}

async function writtenStage(field: Field, data: BenchData): Promise<Stage> {
  const { folder, remove } = temporaryFolder();
  const database = join(folder, "written.db");
  copyDatabase(data.file, database);
  const own = await field.fresh("bellwire", database);
  let run = 0;
  let imported = 0;
  let expected = 0;
  return {
    contender: async (name) => (name === "bellwire" ? own : field.get(name)),
    during: async (work) => {
      const importer = await startImporter({ database, run: run++, tickers: tickersFor(data.sizes.ratings) });
      try {
        return await work([importer.pid]);
      } finally {
        const { records, seconds } = await importer.stop();
        imported += records;
        expected += seconds * recordsPerSecond;
      }
    },
    leave: async () => {},
    pace: () => imported / expected,
    close: async () => {
      await own?.stop();
      remove();
    },
  };
}
