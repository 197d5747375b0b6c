// Everything that a thread does with a database, by name. Resources are named as well: their fields are functions.
import type { Resource } from "../../../core/catalog/resource.ts";
import type { Migration } from "../../migrate.ts";
import { look } from "../file/health.ts";
import { addUsage, exchange, lastUsed, readUsage } from "../usage.ts";
import type { Connections } from "./connections.ts";
import { cursorOperations } from "./cursors.ts";
import { readOperations } from "./reads.ts";
import { writeOperations } from "./writes.ts";

export type Operations = ReturnType<typeof operationsOn>;

export type ResourceNamed = (name: string) => Resource;

export function operationsOn(connections: Connections, catalog: readonly Resource[], migrations: readonly Migration[]) {
  const named: ResourceNamed = (name) => {
    const resource = catalog.find((each) => each.name === name);
    if (resource === undefined) throw new Error(`no resource is named ${name}`);
    return resource;
  };
  return {
    ...readOperations(connections, catalog, named),
    ...cursorOperations(connections, named),
    ...writeOperations(connections, catalog, named, migrations),
    ...usageOperations(connections),
    health: () => look(connections.file, catalog),
  };
}

const usageOperations = (connections: Connections) => ({
  exchange: (spending: Parameters<typeof exchange>[1]) => exchange(connections.usage, spending, Date.now() / 1000),
  addUsage: (rows: Parameters<typeof addUsage>[1], at: number) => addUsage(connections.usage, rows, at),
  usage: (asked: Parameters<typeof readUsage>[1]) => readUsage(connections.reader, asked),
  lastUsed: () => lastUsed(connections.reader),
});
