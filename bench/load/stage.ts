// Where a workload runs: on the servers that everyone shares, on a copy of the data that is written to meanwhile, or on
// servers that have only just been started.
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
  /** Does what goes on meanwhile, for as long as `work` takes, which is told the processes that do it. */
  during<T>(work: (beside: readonly number[]) => Promise<T>): Promise<T>;
  /** After one lane of one round. */
  leave(name: ContenderName, contender: Contender): Promise<void>;
  /** Share of the records that should have been imported meanwhile; undefined where nothing is. */
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
  if (workload.cold === undefined && !workload.anew) return shared;
  return {
    ...shared,
    contender: (name) => field.fresh(name),
    leave: (_name, contender) => contender.stop(),
  };
}

/** With what stands in its log: a server that runs on it keeps that open. Nobody writes to it meanwhile. */
export function copyDatabase(from: string, to: string): void {
  for (const end of ["", "-wal"]) {
    // Costs nothing where the file system can share blocks.
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
