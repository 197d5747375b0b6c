// Hash of the catalog's fields, to detect records that were encoded by an older version and encode them again.
import { hash } from "node:crypto";
import type { Resource } from "../catalog/resource.ts";

export function schemaHash(catalog: readonly Resource[]): string {
  const shape = catalog.map(({ name, fields }) => [
    name,
    Object.entries(fields).map(([field, { kind, shown, optional, heavy }]) => [field, kind, shown, optional, heavy]),
  ]);
  return hash("sha1", JSON.stringify(shape), "hex").slice(0, 12);
}
