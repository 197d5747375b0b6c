// The form of stored answers: a fingerprint of the fields that are shown, so that records kept by an older version of
// the catalogue can be told and rendered again.
import { hash } from "node:crypto";
import type { Resource } from "../catalog/resource.ts";

export function formOf(catalog: readonly Resource[]): string {
  const shape = catalog.map(({ name, fields }) => [
    name,
    Object.entries(fields).map(([field, { kind, shown, optional, heavy }]) => [field, kind, shown, optional, heavy]),
  ]);
  return hash("sha1", JSON.stringify(shape), "hex").slice(0, 12);
}
