// A client that reconnects with its last position whenever it loses its stream, to whichever server there is.
import { get, type IncomingMessage } from "node:http";
import { text } from "node:stream/consumers";
import { setTimeout as pause } from "node:timers/promises";
import { WebSocket } from "ws";
import { eventBlocks } from "../../src/core/event-stream.ts";

export type Transport = "events" | "messages";

export type ClientOptions = {
  readonly transport: Transport;
  /** Path of the stream, with filters. */
  readonly path: string;
  readonly token: string;
  readonly position: string;
  /** The server to connect to now. */
  readonly server: () => string;
};

const reconnectMs = 100;

export class ReconnectingClient {
  /** Positions and texts of events; texts of messages. */
  readonly received: string[] = [];
  connections = 0;
  /** Why the client can't continue. */
  failure: string | undefined;
  readonly options: ClientOptions;
  #position: string;
  #isStopped = false;

  constructor(options: ClientOptions) {
    this.options = options;
    this.#position = options.position;
  }

  async run(): Promise<void> {
    const follow = this.options.transport === "events" ? () => this.#events() : () => this.#messages();
    while (!this.#isStopped && this.failure === undefined) {
      // A server that was killed.
      await follow().catch(() => {});
      await pause(reconnectMs);
    }
  }

  stop(): void {
    this.#isStopped = true;
  }

  async #events(): Promise<void> {
    const { path, token, server } = this.options;
    const headers = { authorization: `Bearer ${token}`, "last-event-id": this.#position };
    const response = await new Promise<IncomingMessage>((resolve, reject) => {
      get(`${server()}${path}`, { headers, agent: false }, resolve).once("error", reject);
    });
    if (response.statusCode !== 200) return this.#refused(response);
    this.connections++;
    for await (const { id, data } of eventBlocks(response.setEncoding("utf8"))) {
      this.#position = id ?? this.#position;
      if (data !== undefined) this.received.push(`${id} ${data}`);
    }
  }

  async #messages(): Promise<void> {
    const { path, token, server } = this.options;
    // Either way of continuing.
    const isInUrl = this.connections % 2 === 0;
    const since = isInUrl ? `${path.includes("?") ? "&" : "?"}since=${this.#position}` : "";
    const headers = { authorization: `Bearer ${token}` };
    const socket = new WebSocket(`${server().replace(/^http/, "ws")}${path}${since}`, { headers });
    const closed = new Promise((resolve) => socket.once("close", resolve));
    socket.on("error", () => {});
    // The server may be killed while it responds.
    const refused = (response: IncomingMessage) =>
      this.#refused(response)
        .catch(() => {})
        .finally(() => socket.close());
    socket.on("unexpected-response", (_request, response) => void refused(response));
    socket.on("open", () => {
      this.connections++;
      if (!isInUrl) socket.send(JSON.stringify({ resume: this.#position }));
    });
    socket.on("message", (data) => {
      const message = String(data);
      const { id, kind } = JSON.parse(message);
      if (kind === "error") {
        // The database was lost during a resume, or the position is: the connection is closed.
        if (message.includes("stream.gone")) this.failure = message;
        return;
      }
      this.#position = id;
      this.received.push(message);
    });
    await closed;
  }

  /** While a server or the database starts, requests are refused with 503. */
  async #refused(response: IncomingMessage): Promise<void> {
    const body = await text(response);
    if (response.statusCode !== 503) this.failure = `${response.statusCode}: ${body}`;
  }
}
