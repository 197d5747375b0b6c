// All operations of a thread, by name. Resources are passed by name, too, because functions can't be cloned.
import type { Resource } from "../../../core/catalog/resource.ts";
import type { Migration } from "../../migrate.ts";
import { addUsage, lastUsed, readUsage, syncLimits } from "../access/usage.ts";
import { checkHealth } from "../file/health.ts";
import type { Connections } from "./connections.ts";
import { cursorOperations } from "./cursors.ts";
import { loadOperations } from "./loads.ts";
import { readOperations } from "./reads.ts";
import { writeOperations } from "./writes.ts";

export type Operations = ReturnType<typeof operationsFor>;

export type FindResource = (name: string) => Resource;

export function operationsFor(
  connections: Connections,
  catalog: readonly Resource[],
  migrations: readonly Migration[],
) {
  const findResource: FindResource = (name) => {
    const resource = catalog.find((each) => each.name === name);
    if (resource === undefined) throw new Error(`no resource is named ${name}`);
    return resource;
  };
  return {
    ...readOperations(connections, catalog, findResource),
    ...cursorOperations(connections, findResource),
    ...writeOperations(connections, catalog, findResource, migrations),
    ...loadOperations(connections, findResource),
    ...usageOperations(connections),
    health: () => checkHealth(connections.file, catalog),
  };
}

const usageOperations = (connections: Connections) => ({
  syncLimits: (deltas: Parameters<typeof syncLimits>[1]) => syncLimits(connections.usage, deltas, Date.now() / 1000),
  addUsage: (rows: Parameters<typeof addUsage>[1], at: number, links?: Parameters<typeof addUsage>[3]) =>
    addUsage(connections.usage, rows, at, links),
  usage: (query: Parameters<typeof readUsage>[1]) => readUsage(connections.reader, query),
  lastUsed: () => lastUsed(connections.reader),
});
