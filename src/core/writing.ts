// What may be said when records are written over HTTP: where, with which parameters, in which types of body.
import { yesOrNo } from "./catalog/parameter.ts";
import type { Resource } from "./catalog/resource.ts";

/** Where records of a resource are sent; a record is removed below it, by its id. */
export const recordsPath = ({ name }: Pick<Resource, "name">): string => `/admin/v1/records/${name}`;

export const writeInputs = {
  atomic: yesOrNo("atomic", "Keeps all records of the body, or none of them when one is refused", false),
};

/** Media types of a body, each with the format in which its records stand. */
export const bodyTypes = {
  "application/json": "json",
  "application/x-ndjson": "ndjson",
  "application/jsonl": "ndjson",
} as const satisfies Record<string, string>;

/** Refused records that an answer lists; all are counted. */
export const mostListed = 1000;
