// API keys in PostgreSQL.
import type { Terms } from "../../core/access/terms.ts";
import {
  keyColumns,
  keyFromRow,
  keyValues,
  revokeKeySql,
  rotateKeySql,
  setTermsSql,
  termValues,
  upsertKeySql,
} from "../rows/api-key-row.ts";
import { revokeLinksOfKeySql } from "../rows/link-row.ts";
import type { NewKey, Store, Successor } from "../store.ts";
import type { Query } from "./pool/pool.ts";
import type { Cluster } from "./replicas/cluster.ts";
import type { Write } from "./write/writer.ts";

type KeyMethods = "addKey" | "findKey" | "listKeys" | "hasKey" | "updateKey" | "rotateKey" | "revokeKey";

export function keysOn(cluster: Cluster, write: Write): Pick<Store, KeyMethods> {
  const change = <T>(work: (query: Query) => Promise<T>): Promise<T> =>
    write("keys", async (_client, query) => {
      const result = await work(query);
      return { result, changed: result !== false };
    });
  return {
    addKey: (key) => change((query) => addKey(query, key)),
    findKey: async (hash, state) =>
      cluster.read(cluster.nodeForKeys(state), async (query) => {
        const [row] = await query("select * from api_key where hash = $1", hash);
        return row === undefined ? undefined : keyFromRow(row);
      }),
    listKeys: async () => {
      const rows = await cluster.primary.pool.query("select * from api_key order by key");
      return rows.map(keyFromRow);
    },
    hasKey: async () =>
      (await cluster.primary.pool.query("select 1 from api_key where revoked is null limit 1")).length > 0,
    updateKey: (name, terms, at) => change((query) => updateKey(query, name, terms, at)),
    rotateKey: (name, successor) => change((query) => rotateKey(query, name, successor)),
    revokeKey: (name, at) => change((query) => revokeKey(query, name, at)),
  };
}

async function addKey(query: Query, key: NewKey): Promise<void> {
  await query(upsertKeySql(keyColumns.map((_, index) => `$${index + 1}`)), ...keyValues(key));
}

/** The valid keys with a name; the newest hasn't been rotated. */
const valid = "name = $1 and (revoked is null or retires > $2)";

async function updateKey(query: Query, name: string, terms: Partial<Terms>, at: number): Promise<boolean> {
  const [newest] = await query(`select * from api_key where ${valid} order by key desc limit 1`, name, at);
  if (newest === undefined) return false;
  const set = setTermsSql((index) => `$${index + 3}`);
  await query(`update api_key set ${set} where ${valid}`, name, at, ...termValues({ ...keyFromRow(newest), ...terms }));
  return true;
}

async function rotateKey(query: Query, name: string, { hash, created, retires }: Successor): Promise<boolean> {
  const [row] = await query("select * from api_key where name = $1 and revoked is null", name);
  if (row === undefined) return false;
  if (retires === undefined) await query(revokeKeySql("$1::bigint", "$2"), created, name);
  else await query(rotateKeySql("$1::bigint", "$2::bigint", "$3"), created, retires, name);
  await addKey(query, { ...keyFromRow(row), hash, created });
  return true;
}

async function revokeKey(query: Query, name: string, at: number): Promise<boolean> {
  const found = await query(`select 1 from api_key where ${valid}`, name, at);
  await query(revokeKeySql("$1::bigint", "$2"), at, name);
  await query(revokeLinksOfKeySql("$1::bigint", "$2"), at, name);
  return found.length > 0;
}
