// Derives the IDs of records that have none from other values, so that importing them again updates them.
import { fieldOf, type Resource } from "../../core/catalog/resource.ts";
import { derivedId, fingerprint } from "../../core/record/derived-id.ts";
import type { Row } from "../../core/record/row.ts";
import type { Store } from "../../store/store.ts";
import type { ParsedRecord } from "../formats/format.ts";
import { fieldNamed } from "./mapping.ts";

/** IDs of this import that are remembered, to detect collisions of 32-bit IDs. */
const maxRemembered = 1_000_000;

type Fingerprinted = { readonly print: string; n: number };

export class IdDerivation {
  readonly #resource: Resource;
  readonly #names: readonly string[];
  /** Fingerprints by integer ID. */
  readonly #taken = new Map<number, number>();
  /** Records with a derived integer ID, which may be that of another record in the database. */
  readonly #derived = new WeakMap<object, Fingerprinted>();

  constructor(resource: Resource, names: readonly string[]) {
    this.#resource = resource;
    this.#names = names;
  }

  /** Adds an ID to a mapped record without one; `source` is the record as it was read. */
  add(record: Record<string, unknown>, source: Record<string, unknown>): Record<string, unknown> {
    if (this.#names.length === 0 || (record.id !== undefined && record.id !== "")) return record;
    const values = this.#names.map((name) => {
      const field = fieldNamed(this.#resource, name);
      return text(field === undefined || record[field] === undefined ? source[name] : record[field]);
    });
    // Records of which nothing is known would all have the same ID.
    if (values.every((value) => value === "")) return record;
    this.#assign(record, { print: fingerprint(JSON.stringify(values)), n: 0 });
    return record;
  }

  /** Gives a record whose ID is that of another one in the database the next candidate. */
  async avoidStored(store: Pick<Store, "rowsOf">, batch: readonly ParsedRecord[]): Promise<void> {
    let open = batch.flatMap((record) => {
      const value = "value" in record ? (record.value as Record<string, unknown>) : {};
      return this.#derived.has(value) ? [value] : [];
    });
    while (open.length > 0) {
      const rows = await store.rowsOf(
        this.#resource,
        open.map(({ id }) => String(id)),
      );
      const stored = new Map(rows.map((row) => [row.id, row]));
      open = open.filter((record) => {
        const row = stored.get(record.id as number);
        return row !== undefined && !this.#isSame(record, row);
      });
      for (const record of open) {
        const { print, n } = this.#derived.get(record) as Fingerprinted;
        this.#assign(record, { print, n: n + 1 });
      }
    }
  }

  /** Compares the fields that the ID is derived from; columns that aren't stored can't be compared. */
  #isSame(record: Record<string, unknown>, row: Row): boolean {
    return this.#names.every((name) => {
      const field = fieldNamed(this.#resource, name);
      if (field === undefined) return true;
      const { validate, empty } = fieldOf(this.#resource, field);
      const value = record[field] === undefined ? empty : validate(record[field], () => {});
      return JSON.stringify(value) === JSON.stringify(row[field]);
    });
  }

  #assign(record: Record<string, unknown>, from: Fingerprinted): void {
    const { print } = from;
    for (let { n } = from; ; n++) {
      const id = derivedId(fieldOf(this.#resource, "id"), print, n);
      record.id = id;
      if (typeof id === "string") return;
      this.#derived.set(record, { print, n });
      const other = Number.parseInt(Buffer.from(print, "base64url").toString("hex", 0, 6), 16);
      const taken = this.#taken.get(id);
      if (taken !== undefined && taken !== other) continue;
      if (this.#taken.size < maxRemembered) this.#taken.set(id, other);
      return;
    }
  }
}

function text(value: unknown): string {
  if (value === undefined || value === null) return "";
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}
