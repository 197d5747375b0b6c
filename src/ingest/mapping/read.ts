// Reads a file through a mapping; the header is checked before the first record.
import type { Resource } from "../../core/catalog/resource.ts";
import type { Store } from "../../store/store.ts";
import type { ParsedRecord } from "../formats/format.ts";
import type { OpenedRecords } from "../formats/open.ts";
import { checkHeader, type HeaderCheck } from "./header.ts";
import type { Mapper } from "./mapper.ts";
import type { Mapping } from "./mapping.ts";

/** Names under which responses hold their records: those of the resource, or a general one. */
export const envelopeKeys = ({ name, intake }: Resource): string[] => [
  ...new Set([name, ...intake.keys, "data", "results", "records", "items"]),
];

export async function* readMapped(
  resource: Resource,
  mapping: Mapping,
  mapper: Mapper,
  { records, info }: Pick<OpenedRecords, "records" | "info">,
  onHeader: (check: HeaderCheck) => void,
  store?: Store,
): AsyncGenerator<ParsedRecord[]> {
  let isChecked = false;
  for await (const batch of records) {
    if (!isChecked && info.columns !== undefined) {
      const check = checkHeader(resource, mapping, mapper, info.columns);
      if (check.fatal !== undefined) {
        yield [{ line: 1, problem: `header line: ${check.fatal}; nothing was read` }];
        return;
      }
      onHeader(check);
    }
    isChecked = true;
    const mapped = batch.map((record) => mapper.map(record, info));
    if (store !== undefined) await mapper.avoidStored(store, mapped);
    yield mapped;
  }
}
