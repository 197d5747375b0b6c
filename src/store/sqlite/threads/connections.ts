// The connections of one thread to one database, each opened when it is first used.
import { Connection } from "../connection.ts";
import type { Attachment } from "./messages.ts";

export class Connections {
  readonly #attachment: Attachment;
  #reader: Connection | undefined;
  #writer: Connection | undefined;
  #usage: Connection | undefined;
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

  /** Waits neither for other writers nor for the disk: what can't be written now is written later. */
  get usage(): Connection {
    this.#usage ??= new Connection(this.file, { readOnly: false, patient: false });
    return this.#usage;
  }

  /** One for a cursor: a long export neither blocks other reads nor is disturbed by them. */
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
    // The last to close the file checkpoints its log, which takes one that may write.
    for (const connection of [this.#reader, this.#usage, this.#writer]) connection?.close();
  }
}
