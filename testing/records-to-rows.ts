// Records of a test → rows of the database, or an error with everything that is invalid.
import type { Resource } from "../src/core/catalog/resource.ts";
import { printFieldError, validateRecord } from "../src/core/record/validate.ts";
import { camel } from "../src/docs/client-types.ts";
import { catalog } from "../src/resources/catalog.ts";
import type { IncomingRow } from "../src/store/store.ts";

export type ResourceRows = { readonly resource: Resource; readonly rows: readonly IncomingRow[] };

/** By the name that a list has in the client. */
export function resourceOf(list: string): Resource {
  const resource = catalog.find(({ name }) => camel(name) === list);
  if (resource !== undefined) return resource;
  throw new TypeError(`no list "${list}": expected ${catalog.map(({ name }) => camel(name)).join(", ")}`);
}

/** `now`: Unix seconds, the time of import. */
export function rowsOf(records: Readonly<Record<string, readonly object[] | undefined>>, now: number): ResourceRows[] {
  const errors: string[] = [];
  const all = Object.entries(records).map(([list, values = []]): ResourceRows => {
    const resource = resourceOf(list);
    const rows = values.flatMap((value, index) => {
      const result = validateRecord(resource, inImportForm(value), now);
      if ("row" in result) return [result];
      errors.push(...result.errors.map((error) => `${list}[${index}]: ${printFieldError(error)}`));
      return [];
    });
    return { resource, rows };
  });
  if (errors.length > 0) throw new TypeError(errors.join("\n"));
  return all;
}

/** Timestamps may be a `Date`. */
const inImportForm = (record: object): object =>
  Object.fromEntries(
    Object.entries(record).map(([name, value]) => [name, value instanceof Date ? value.getTime() / 1000 : value]),
  );
