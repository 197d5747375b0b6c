// Finds traces of keys in anything a server sent or stored: plain, in any letter case, or in an encoding that anyone can
// decode.
import { existsSync, readFileSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import pg from "pg";
import { isPostgres } from "../../../src/settings/setting.ts";

/** Half of the random part: revealing that much is too much. */
const halves = (key: string): string[] => [key.slice(3, 19), key.slice(19, 35)];

/** A text inside of base64, at each of the three offsets where it may start. */
const inBase64 = (text: string): string[] =>
  [0, 1, 2].map((before) => {
    const whole = Buffer.from("\0".repeat(before) + text).toString("base64");
    return whole.slice(Math.ceil((before * 8) / 6), Math.floor(((before + text.length) * 8) / 6));
  });

/** Returns the part of a text that reveals a key, or undefined. */
export function keyTraces(keys: readonly string[]): (text: string) => string | undefined {
  const parts = keys.flatMap(halves);
  const folded = parts.flatMap((part) => [part.toLowerCase(), Buffer.from(part).toString("hex")]);
  const coded = parts.flatMap(inBase64);
  const traceIn = (text: string): string | undefined => {
    const lower = text.toLowerCase();
    const found = folded.find((part) => lower.includes(part));
    if (found !== undefined) return found;
    const base64 = text.replaceAll("-", "+").replaceAll("_", "/");
    return coded.find((part) => base64.includes(part));
  };
  return (text) => {
    let plain = text;
    // Detects double encoding too.
    for (let turn = 0; turn < 3; turn++) {
      const found = traceIn(plain);
      if (found !== undefined || !/%[0-9a-f]{2}/i.test(plain)) return found;
      plain = plain.replace(/%([0-9a-f]{2})/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
    }
    return traceIn(plain);
  };
}

/** The whole contents of a database: every column of every row of every table, and on SQLite the bytes of its files too. */
export const everythingIn = (database: string): Promise<Record<string, string>> =>
  isPostgres(database) ? tablesOfPostgres(database) : tablesOfSqlite(database);

async function tablesOfPostgres(database: string): Promise<Record<string, string>> {
  const client = new pg.Client(database);
  await client.connect();
  try {
    const { rows } = await client.query(
      "select tablename as name from pg_tables where schemaname = current_schema() order by tablename",
    );
    const held: Record<string, string> = {};
    for (const { name } of rows) {
      // Bytes are shown in hexadecimal.
      const { rows: texts } = await client.query(`select row_to_json(x)::text as text from "${name}" x`);
      held[name] = texts.map(({ text }) => text).join("\n");
    }
    return held;
  } finally {
    await client.end();
  }
}

async function tablesOfSqlite(database: string): Promise<Record<string, string>> {
  const db = new DatabaseSync(database, { readOnly: true });
  try {
    const tables = db.prepare("select name from sqlite_schema where type = 'table' order by name").all();
    const held = tables.map(({ name }): [string, string] => {
      const all = db.prepare(`select * from "${name}"`);
      all.setReadBigInts(true);
      const cells = all.all().flatMap((row) => Object.values(row));
      const text = cells.map((cell) => (cell instanceof Uint8Array ? Buffer.from(cell).toString("latin1") : cell));
      return [String(name), text.join("\n")];
    });
    const files = ["", "-wal"].map((suffix) => database + suffix).filter((file) => existsSync(file));
    return Object.fromEntries([...held, ...files.map((file) => [file, readFileSync(file, "latin1")])]);
  } finally {
    db.close();
  }
}
