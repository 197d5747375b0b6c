// The operations that write, each in one transaction.

import type { Terms } from "../../../core/access/terms.ts";
import type { Resource } from "../../../core/catalog/resource.ts";
import { formOf } from "../../../core/record/schema-hash.ts";
import { type Migration, migrate } from "../../migrate.ts";
import { verifySchema } from "../../schema/verify.ts";
import type {
  Change,
  IncomingRow,
  NewKey,
  Outcome,
  RenderingSettings,
  RetentionCutoff,
  Successor,
} from "../../store.ts";
import { backfill } from "../backfill.ts";
import { addKey, revokeKey, rotateKey, updateKey } from "../keys.ts";
import { readSettings } from "../state.ts";
import { columnsIn } from "../tables.ts";
import { forgetChanges, takeOverChanges, takeTurn } from "../write/change-log.ts";
import { settleSearch } from "../write/optimize.ts";
import { putRows, removeRows, renderAll } from "../write/put-batch.ts";
import { moveVersion } from "../write/write-record.ts";
import type { Connections } from "./connections.ts";
import type { ResourceNamed } from "./operations.ts";

export function writeOperations(
  connections: Connections,
  catalog: readonly Resource[],
  named: ResourceNamed,
  migrations: readonly Migration[],
) {
  const form = formOf(catalog);
  /** Rows of large transactions that have not arrived in full. */
  const staged = new Map<number, IncomingRow[]>();

  const transaction = <T>(work: () => T): T => connections.writer.transaction(work);

  /** The version moves with a change alone: work that did nothing gives 0 or false. */
  const versioned = <T>(name: string, work: () => T): T =>
    transaction(() => {
      const result = work();
      if (result !== 0 && result !== false) moveVersion(connections.writer, name);
      return result;
    });

  return {
    /** Makes the file if there is none, and brings it to the newest schema. */
    open: (): void => {
      const { writer } = connections;
      migrate(writer.db, migrations);
      verifySchema(catalog, migrations, columnsIn(writer.db));
      // Written to a new database alone: opening must not wait for another process that is writing.
      if (readSettings(writer).form === "")
        writer.run("insert or ignore into setting (name, value) values ('form', ?)", form);
      backfill(writer, catalog, migrations);
    },
    stage: (id: number, rows: readonly IncomingRow[]): void => {
      const before = staged.get(id);
      if (before === undefined) staged.set(id, [...rows]);
      else for (const row of rows) before.push(row);
    },
    /** Writes rows, after those that were staged under the id. */
    put: (
      resource: string,
      rows: readonly IncomingRow[],
      at: number,
      log: boolean,
      id?: number,
    ): readonly Outcome[] => {
      const before = id === undefined ? undefined : staged.get(id);
      if (id !== undefined) staged.delete(id);
      const all = before === undefined ? rows : [...before, ...rows];
      return transaction(() => putRows(connections.writer, named(resource), all, at, log));
    },
    remove: (resource: string, ids: readonly string[], at: number): number =>
      versioned(resource, () => removeRows(connections.writer, named(resource), ids, at)),
    settle: (resource: string): Promise<void> => settleSearch(connections.writer, named(resource)),
    render: (settings: RenderingSettings): number =>
      transaction(() => renderAll(connections.writer, catalog, settings, form)),
    addChanges: (changes: readonly Change[]): void =>
      transaction(() => {
        takeOverChanges(connections.writer, changes);
        for (const name of new Set(changes.map(({ resource }) => resource))) moveVersion(connections.writer, name);
      }),
    forgetChanges: (forgotten: RetentionCutoff, most: number): number =>
      transaction(() => {
        const { lines, removals } = forgetChanges(connections.writer, forgotten, most);
        if (removals > 0) moveVersion(connections.writer, "removals");
        return lines + removals;
      }),
    addKey: (key: NewKey): void => versioned("keys", () => addKey(connections.writer, key)),
    updateKey: (name: string, terms: Partial<Terms>, at: number): boolean =>
      versioned("keys", () => updateKey(connections.writer, name, terms, at)),
    rotateKey: (name: string, successor: Successor): boolean =>
      versioned("keys", () => rotateKey(connections.writer, name, successor)),
    revokeKey: (name: string, at: number): boolean => versioned("keys", () => revokeKey(connections.writer, name, at)),
    claimNote: (name: string, value: string): boolean =>
      connections.writer.run("insert or ignore into setting (name, value) values (?, ?)", `note:${name}`, value) > 0,
    swapNote: (name: string, from: string, to: string): boolean =>
      connections.writer.run("update setting set value = ? where name = ? and value = ?", to, `note:${name}`, from) > 0,
    setNote: (name: string, value: string): void => {
      connections.writer.run("insert or replace into setting (name, value) values (?, ?)", `note:${name}`, value);
    },
    takeTurn: (name: string, now: number, everySeconds: number): boolean =>
      takeTurn(connections.writer, name, now, everySeconds),
  };
}
