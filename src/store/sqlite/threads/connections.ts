// A thread's connections to one database, each opened on first use.
import { Connection } from "../connection.ts";
import type { Attachment } from "./messages.ts";

export class Connections {
  readonly #attachment: Attachment;
  #reader: Connection | undefined;
  #writer: Connection | undefined;
  #usage: Connection | undefined;
  #load: Connection | undefined;
  readonly #cursors = new Set<Connection>();

  constructor(attachment: Attachment) {
    this.#attachment = attachment;
  }

  get file(): string {
    return this.#attachment.file;
  }

  get reader(): Connection {
    this.#reader ??= new Connection(this.file, { readOnly: true, limitMs: this.#attachment.limitMs });
    return this.#reader;
  }

  get writer(): Connection {
    this.#writer ??= new Connection(this.file, { readOnly: false });
    return this.#writer;
  }

  /** Waits neither for other writers nor for the disk: failed writes are retried later. */
  get usage(): Connection {
    this.#usage ??= new Connection(this.file, { readOnly: false, waitsForLocks: false });
    return this.#usage;
  }

  /** A separate connection for a load, which has a long transaction and more memory. */
  openLoad(): Connection {
    this.#load = new Connection(this.file, { readOnly: false });
    return this.#load;
  }

  closeLoad(): void {
    this.#load?.close();
    this.#load = undefined;
  }

  /** A separate connection, so that a long export neither blocks other reads nor is affected by them. */
  openCursor(): Connection {
    const connection = new Connection(this.file, { readOnly: true });
    this.#cursors.add(connection);
    return connection;
  }

  closeCursor(connection: Connection): void {
    if (this.#cursors.delete(connection)) connection.close();
  }

  close(): void {
    for (const connection of this.#cursors) this.closeCursor(connection);
    // The last connection to close checkpoints the WAL, so it must be writable.
    for (const connection of [this.#reader, this.#usage, this.#load, this.#writer]) connection?.close();
  }
}
