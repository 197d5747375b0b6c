// A service that listens on a port, and a raw client, for what injected requests can't cover.
import { mkdtempSync, rmSync } from "node:fs";
import type { Server } from "node:http";
import { connect, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { bulkFiles } from "../../../src/bulk/files.ts";
import { writeBulkFile } from "../../../src/bulk/write.ts";
import type { Terms } from "../../../src/core/access/terms.ts";
import { createLog } from "../../../src/http/observe/log.ts";
import { buildServer, type ServerOptions } from "../../../src/http/server.ts";
import { generateKey, hashKey } from "../../../src/keys/key.ts";
import { openSqlite } from "../../../src/open-sqlite.ts";
import { catalog } from "../../../src/resources/catalog.ts";
import { extensions } from "../../../src/resources/lists/extensions.ts";
import type { Store } from "../../../src/store/store.ts";
import { type Body, document, testNow } from "./api.ts";

export type Reply = {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly text: string;
  readonly json: Body;
};

export type Listening = {
  readonly port: number;
  readonly server: Server;
  readonly store: Store;
  readonly file: string;
  /** Every logged line. */
  readonly log: readonly string[];
  /** Creates a key and returns it. */
  key(terms?: Partial<Terms>): Promise<string>;
  drain(): void;
  /** Sends raw bytes and returns the response once the connection has closed. */
  send(bytes: string): Promise<Reply>;
  /** Sends one request on a new connection. */
  request(url: string, headers?: Readonly<Record<string, string>>, method?: string): Promise<Reply>;
};

export type ListeningOptions = Partial<
  Omit<ServerOptions, "catalog" | "extensions" | "store" | "log" | "openapi"> & {
    /** How long a read may take before it is canceled. */
    readonly statementSeconds: number;
  }
>;

/** Runs a service during `run`. The test removes a file that it passes. */
export async function listening(
  run: (service: Listening) => Promise<void>,
  database?: string,
  { statementSeconds, ...options }: ListeningOptions = {},
): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "bellwire-listening-"));
  const file = database ?? join(folder, "test.db");
  const store = openSqlite({
    file,
    now: () => testNow,
    // Only the statement has a short timeout; threads have plenty of time.
    ...(statementSeconds === undefined ? {} : { statementSeconds, abandonSeconds: 600 }),
  });
  const log: string[] = [];
  const { app, drain } = await buildServer({
    catalog,
    extensions,
    store,
    log: createLog("debug", { write: (line) => log.push(line) }),
    openapi: document,
    now: () => testNow,
    wrongTokens: 0,
    bulk: bulkFiles({
      directory: join(folder, "bulk"),
      maxAgeSeconds: 0,
      store,
      now: () => testNow,
      write: (resource, format, file) => writeBulkFile(store, resource, format, file),
    }),
    ...options,
  });
  await app.listen({ host: "127.0.0.1", port: 0 });
  const { port } = app.server.address() as { port: number };
  let made = 0;
  const send: Listening["send"] = async (bytes) =>
    read(
      connect(port, "127.0.0.1", function (this: Socket) {
        this.write(bytes);
      }),
    );
  try {
    await run({
      port,
      server: app.server as Server,
      store,
      file,
      log,
      drain,
      send,
      request: (url, headers = {}, method = "GET") => {
        const lines = Object.entries({ host: "localhost", connection: "close", ...headers });
        return send(
          `${method} ${url} HTTP/1.1\r\n${lines.map(([name, value]) => `${name}: ${value}\r\n`).join("")}\r\n`,
        );
      },
      key: async (terms = {}) => {
        const key = generateKey();
        const name = `test-${++made}`;
        await store.addKey({ ...terms, name, hash: hashKey(key), created: testNow });
        return key;
      },
    });
  } finally {
    await app.close();
    // The test may have closed it already.
    await store.close().catch(() => {});
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The response on a connection, once the server has closed it. */
export async function read(socket: Socket): Promise<Reply> {
  const chunks: Buffer[] = [];
  for await (const chunk of socket) chunks.push(chunk as Buffer);
  const [head = "", ...rest] = Buffer.concat(chunks).toString("utf8").split("\r\n\r\n");
  const [first = "", ...lines] = head.split("\r\n");
  const headers = lines.map((line) => [
    line.slice(0, line.indexOf(":")).toLowerCase(),
    line.slice(line.indexOf(":") + 1).trim(),
  ]);
  const text = rest.join("\r\n\r\n");
  return {
    status: Number(first.split(" ")[1]),
    headers: Object.fromEntries(headers) as Record<string, string>,
    text,
    get json() {
      return JSON.parse(text) as Body;
    },
  };
}
