// COPY into a table, in text format.
import { once } from "node:events";
import type pg from "pg";
import copy from "pg-copy-streams";

/** Characters buffered before writing to the socket. */
const chunkLength = 64 * 1024;

/** Each source item yields any number of rows. */
export async function copyInto<T>(
  client: pg.PoolClient,
  table: string,
  columns: readonly string[],
  source: readonly T[],
  rowsOf: (item: T, index: number) => readonly (readonly unknown[])[],
): Promise<void> {
  if (source.length === 0) return;
  const stream = client.query(copy.from(`copy ${table} (${columns.join(", ")}) from stdin`));
  // After a timeout, the driver reports a second error when the statement is canceled or the connection closed.
  stream.on("error", () => {});
  const finished = once(stream, "finish");
  let chunk = "";
  for (const [index, item] of source.entries()) {
    for (const row of rowsOf(item, index)) chunk += line(row);
    if (chunk.length >= chunkLength) {
      if (!stream.write(chunk)) await Promise.race([once(stream, "drain"), finished]);
      chunk = "";
    }
  }
  stream.end(chunk);
  await finished;
}

function line(row: readonly unknown[]): string {
  let text = "";
  for (let index = 0; index < row.length; index++) text += `${index === 0 ? "" : "\t"}${cell(row[index])}`;
  return `${text}\n`;
}

const special = /[\\\n\r\t]/;
const escapes: Readonly<Record<string, string>> = { "\\": "\\\\", "\n": "\\n", "\r": "\\r", "\t": "\\t" };

function cell(value: unknown): string {
  if (value === null || value === undefined) return "\\N";
  if (typeof value !== "string") return String(value);
  return special.test(value) ? value.replace(/[\\\n\r\t]/g, (character) => escapes[character] ?? character) : value;
}
