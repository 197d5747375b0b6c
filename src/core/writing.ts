// Writing records over HTTP: paths, parameters, and body types.
import { booleanParameter } from "./catalog/parameter.ts";
import type { Resource } from "./catalog/resource.ts";

export const recordsPath = ({ name }: Pick<Resource, "name">): string => `/admin/v1/records/${name}`;

export const writeParameters = {
  atomic: booleanParameter("atomic", "Store all records of the body, or none if one is invalid", false),
};

/** Media type → record format. */
export const bodyTypes = {
  "application/json": "json",
  "application/x-ndjson": "ndjson",
  "application/jsonl": "ndjson",
} as const satisfies Record<string, string>;

/** Rejected records listed in a response; all are counted. */
export const maxListedRejections = 1000;
