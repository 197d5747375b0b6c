// Write operations of a thread, each in one transaction.

import type { Terms } from "../../../core/access/terms.ts";
import type { Resource } from "../../../core/catalog/resource.ts";
import { schemaHash } from "../../../core/record/schema-hash.ts";
import type { DeliveryRow, WebhookChanges, WebhookRow } from "../../../core/webhook.ts";
import { type Migration, migrate } from "../../migrate.ts";
import { verifySchema } from "../../schema/verify.ts";
import type {
  Change,
  IncomingRow,
  LinkRow,
  NewKey,
  Outcome,
  RecordVersion,
  RenderingSettings,
  RetentionCutoff,
  Successor,
} from "../../store.ts";
import type { SavedProgress } from "../../webhook-table.ts";
import { addKey, revokeKey, rotateKey, updateKey } from "../access/keys.ts";
import { addLink, revokeLink } from "../access/links.ts";
import { backfill } from "../backfill.ts";
import type { Connection } from "../connection.ts";
import { readSettings } from "../state.ts";
import { columnsIn } from "../tables.ts";
import { addWebhook, changeWebhook, removeWebhook, saveDeliveries } from "../webhooks.ts";
import { claimPeriodicJob, importChanges, pruneChanges } from "../write/change-log.ts";
import { optimizeSearch } from "../write/optimize.ts";
import { putRows, removeRows, renderAll } from "../write/put-batch.ts";
import { bumpVersion } from "../write/write-record.ts";
import type { Connections } from "./connections.ts";
import type { FindResource } from "./operations.ts";

export function writeOperations(
  connections: Connections,
  catalog: readonly Resource[],
  findResource: FindResource,
  migrations: readonly Migration[],
) {
  const form = schemaHash(catalog);
  /** Rows of large batches that haven't fully arrived. */
  const staged = new Map<number, IncomingRow[]>();

  const transaction = <T>(work: () => T): T => connections.writer.transaction(work);

  return {
    /** Creates the file if there is none, and migrates it to the latest schema. */
    open: (): void => {
      const { writer } = connections;
      migrate(writer.db, migrations);
      verifySchema(catalog, migrations, columnsIn(writer.db));
      // Only for a new database: opening must not wait for another process's write lock.
      if (readSettings(writer).form === "")
        writer.run("insert or ignore into setting (name, value) values ('form', ?)", form);
      backfill(writer, catalog, migrations);
    },
    stage: (id: number, rows: readonly IncomingRow[]): void => {
      const before = staged.get(id);
      if (before === undefined) staged.set(id, [...rows]);
      else for (const row of rows) before.push(row);
    },
    /** Writes rows, after those staged under the ID. */
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
      return transaction(() => putRows(connections.writer, findResource(resource), all, at, log));
    },
    remove: (resource: string, ids: readonly string[], at: number): number =>
      versioned(connections.writer, resource, () => removeRows(connections.writer, findResource(resource), ids, at)),
    optimize: (resource: string): Promise<void> => optimizeSearch(connections.writer, findResource(resource)),
    render: (settings: RenderingSettings): number =>
      transaction(() => renderAll(connections.writer, catalog, settings, form)),
    ...changeOperations(connections),
    ...keyOperations(connections),
    ...webhookOperations(connections),
    ...metadataOperations(connections),
  };
}

/** Runs a transaction, and bumps the version if it changed anything: work that didn't returns 0 or false. */
const versioned = <T>(writer: Connection, name: string, work: () => T): T =>
  writer.transaction(() => {
    const result = work();
    if (result !== 0 && result !== false) bumpVersion(writer, name);
    return result;
  });

/** Reads `writer` only in the operations: reader threads never open it. */
function changeOperations(connections: Connections) {
  return {
    importChanges: (changes: readonly Change[], versions: readonly RecordVersion[]): void => {
      const { writer } = connections;
      writer.transaction(() => {
        importChanges(writer, changes, versions);
        for (const name of new Set(changes.map(({ resource }) => resource))) bumpVersion(writer, name);
      });
    },
    pruneChanges: (cutoff: RetentionCutoff, limit: number): number => {
      const { writer } = connections;
      return writer.transaction(() => {
        const { entries, removals } = pruneChanges(writer, cutoff, limit);
        if (removals > 0) bumpVersion(writer, "removals");
        return entries + removals;
      });
    },
  };
}

function keyOperations(connections: Connections) {
  const versionedKeys = <T>(work: (writer: Connection) => T): T =>
    versioned(connections.writer, "keys", () => work(connections.writer));
  return {
    addKey: (key: NewKey): void => versionedKeys((writer) => addKey(writer, key)),
    updateKey: (name: string, terms: Partial<Terms>, at: number): boolean =>
      versionedKeys((writer) => updateKey(writer, name, terms, at)),
    rotateKey: (name: string, successor: Successor): boolean =>
      versionedKeys((writer) => rotateKey(writer, name, successor)),
    revokeKey: (name: string, at: number): boolean => versionedKeys((writer) => revokeKey(writer, name, at)),
    addLink: (link: LinkRow): void => versionedKeys((writer) => addLink(writer, link)),
    revokeLink: (id: string, at: number): boolean => versionedKeys((writer) => revokeLink(writer, id, at)),
  };
}

function webhookOperations(connections: Connections) {
  const versionedWebhooks = <T>(work: (writer: Connection) => T): T =>
    versioned(connections.writer, "webhooks", () => work(connections.writer));
  return {
    addWebhook: (row: WebhookRow): void => versionedWebhooks((writer) => addWebhook(writer, row)),
    changeWebhook: (id: string, version: number, changes: WebhookChanges): boolean =>
      versionedWebhooks((writer) => changeWebhook(writer, id, version, changes)),
    removeWebhook: (id: string): boolean => versionedWebhooks((writer) => removeWebhook(writer, id)),
    saveDeliveries: (progress: readonly SavedProgress[], deliveries: readonly DeliveryRow[]): void =>
      connections.writer.transaction(() => saveDeliveries(connections.writer, progress, deliveries)),
  };
}

function metadataOperations(connections: Connections) {
  return {
    setMetadataIfAbsent: (name: string, value: string): boolean =>
      connections.writer.run("insert or ignore into setting (name, value) values (?, ?)", `note:${name}`, value) > 0,
    compareAndSetMetadata: (name: string, from: string, to: string): boolean =>
      connections.writer.run("update setting set value = ? where name = ? and value = ?", to, `note:${name}`, from) > 0,
    setMetadata: (name: string, value: string): void => {
      connections.writer.run("insert or replace into setting (name, value) values (?, ?)", `note:${name}`, value);
    },
    claimPeriodicJob: (name: string, now: number, everySeconds: number): boolean =>
      claimPeriodicJob(connections.writer, name, now, everySeconds),
  };
}
