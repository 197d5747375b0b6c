// For tests of hostile requests: requirements for problem documents, and a client that sends raw bytes.
import assert from "node:assert/strict";
import { connect, type Socket } from "node:net";
import { problems } from "../../../src/core/problem.ts";
import type { ApiResponse, Body } from "../../support/clients/api.ts";

export type Headed = Pick<ApiResponse, "status" | "headers" | "text">;

/** Asserts that a response is a complete problem document without internals; returns the document. */
export function assertProblem(found: Headed, what: string): Body {
  assert.ok(found.status >= 400 && found.status < 500, `${what} returned ${found.status}: ${found.text}`);
  assert.match(found.headers["content-type"] ?? "", /^application\/problem\+json/, what);
  const body = JSON.parse(found.text) as Body;
  assert.ok(Object.hasOwn(problems, body.code), `${what}: code ${body.code}`);
  assert.equal(body.status, found.status, what);
  for (const name of ["type", "title", "detail", "request_id"]) assert.equal(typeof body[name], "string", what);
  assert.equal(body.request_id, found.headers["x-request-id"], what);
  for (const error of body.errors)
    assert.deepEqual(Object.keys(error).sort(), ["expected", "given", "parameter"], what);
  assert.doesNotMatch(found.text, /\.ts:\d|node:internal|SQLITE|bw_[0-9A-Za-z]{8}/, what);
  return body;
}

/** One connection to the server; responses are read in order, and anything that isn't HTTP is an error. */
export class RawClient {
  readonly #socket: Socket;
  #bytes = Buffer.alloc(0);
  #closed = false;
  #wake = () => {};

  constructor(port: number) {
    this.#socket = connect(port, "127.0.0.1");
    this.#socket.on("data", (piece: Buffer) => {
      this.#bytes = Buffer.concat([this.#bytes, piece]);
      this.#wake();
    });
    // A reset is an end, too: what matters is whether a response came before it.
    for (const event of ["end", "error", "close"]) {
      this.#socket.on(event, () => {
        this.#closed = true;
        this.#wake();
      });
    }
  }

  send(bytes: string | Uint8Array): void {
    if (this.#socket.writable) this.#socket.write(bytes);
  }

  /** The next response, skipping interim ones; undefined if the connection ends without one. */
  async response(): Promise<Headed | undefined> {
    for (;;) {
      const found = this.#parsed();
      if (found !== undefined && found.status >= 200) return found;
      if (found !== undefined) continue;
      if (this.#closed) {
        assert.equal(this.#bytes.length, 0, `the connection ended inside a response: ${this.#bytes}`);
        return undefined;
      }
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }

  get closed(): boolean {
    return this.#closed;
  }

  close(): void {
    this.#socket.destroy();
  }

  #parsed(): Headed | undefined {
    const end = this.#bytes.indexOf("\r\n\r\n");
    if (end === -1) return undefined;
    const [first = "", ...lines] = this.#bytes.toString("latin1", 0, end).split("\r\n");
    const status = Number(/^HTTP\/1\.1 (\d{3}) [A-Z][A-Za-z ]+$/.exec(first)?.[1]);
    assert.ok(status >= 100, `not a status line: ${first}`);
    const headers = Object.fromEntries(
      lines.map((line) => {
        const [, name = "", value = ""] =
          /^([\w-]+): ([\t\x20-\x7e]*)$/.exec(line) ?? assert.fail(`not a header: ${line}`);
        return [name.toLowerCase(), value];
      }),
    );
    const bare = status < 200 || status === 304;
    assert.ok(bare || headers["content-length"] !== undefined, `${first} without a length`);
    const length = bare ? 0 : Number(headers["content-length"]);
    const start = end + 4;
    if (this.#bytes.length < start + length) return undefined;
    const text = this.#bytes.toString("utf8", start, start + length);
    this.#bytes = this.#bytes.subarray(start + length);
    return { status, headers, text };
  }
}
