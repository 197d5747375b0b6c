// The session of a WebSocket: commands of the client, pings, and the subscription that its messages come from.
import type { WebSocket } from "ws";
import type { Resource } from "../../core/catalog/resource.ts";
import { type Problem, problem, problems } from "../../core/problem.ts";
import { type StreamStart, sincePositions } from "../../core/query/stream.ts";
import { redactKeys } from "../../keys/redact.ts";
import type { Hub, HubOptions } from "../../live/hub.ts";
import type { Subscriber, Subscription } from "../../live/subscriber.ts";
import type { Store } from "../../store/store.ts";
import { toProblem } from "../error-handler.ts";
import type { Exchange } from "../exchange.ts";
import type { Log } from "../observe/log.ts";
import { ProblemError } from "../response/problem-error.ts";
import { MessageSink } from "./message-sink.ts";

export type SessionDeps = {
  readonly store: Store;
  readonly hub: Hub;
  readonly every: HubOptions["every"];
  readonly log: Log;
};

type SessionRequest = {
  readonly exchange: Exchange;
  readonly resource: Resource;
  readonly delayMinutes: number;
  readonly subscription: Omit<Subscription, "sink">;
  /** Whether the request names the position to start from. */
  readonly hasStart: boolean;
  /** Counts as a request of the key; throws a ProblemError if it isn't valid any longer, or the position is gone. */
  readonly positionOf: (start?: StreamStart) => Promise<number>;
};

export const apiVersion = "websocket/v1";

export const pingMs = 10_000;

/** Messages that `replay` returns. */
const replayed = 100;

/**
 * How long messages are held back once the client has answered a first ping, so that it can resume before it gets newer
 * ones, however slow its network is.
 */
export const holdMs = 500;

/** Commands that a client may send before the first of them has been executed. */
const maxPending = 10;

/** Bytes that a client which sends commands may leave unread. */
const maxUnread = 262_144;

const expected = 'ping, replay, or {"resume":"<id>"}';

export class Session {
  readonly #socket: WebSocket;
  readonly #request: SessionRequest;
  readonly #deps: SessionDeps;
  readonly #sink: MessageSink;
  #subscriber: Subscriber | undefined;
  #stopHold: (() => void) | undefined;
  #commands: Promise<void> = Promise.resolve();
  #pending = 0;

  constructor(socket: WebSocket, request: SessionRequest, deps: SessionDeps) {
    this.#socket = socket;
    this.#request = request;
    this.#deps = deps;
    this.#sink = new MessageSink(request.exchange, socket);
    const stopPings = deps.every(pingMs, this.#pinging());
    socket.on("message", (data, isBinary) => this.#receive(data, isBinary));
    // The library closes the connection with the code for the error.
    socket.on("error", () => {});
    socket.once("close", () => {
      stopPings();
      this.#endHold();
      this.#subscriber?.close();
    });
    const start = (): void => this.#enqueue(() => this.#follow(request.subscription.from));
    if (request.hasStart) start();
    else this.#hold(start);
  }

  get #isOpen(): boolean {
    return this.#socket.readyState === this.#socket.OPEN;
  }

  async #follow(from: number): Promise<void> {
    const { resource, delayMinutes, subscription } = this.#request;
    const state = await this.#deps.store.state();
    this.#subscriber?.close();
    if (!this.#isOpen) return;
    const next = { ...subscription, from, sink: this.#sink };
    this.#subscriber = await this.#deps.hub.subscribe(resource, delayMinutes, state, next);
    if (!this.#isOpen) this.#subscriber.close();
  }

  /** A client that reads a large buffer slowly gets to the ping late, but lives. */
  #pinging(): () => void {
    let [isAlive, drains] = [true, 0];
    this.#socket.on("pong", () => {
      isAlive = true;
    });
    return () => {
      if (isAlive || this.#sink.drains !== drains) {
        [isAlive, drains] = [false, this.#sink.drains];
        this.#socket.ping();
        return;
      }
      this.#subscriber?.close("slow");
      this.#socket.terminate();
    };
  }

  #receive(data: WebSocket.RawData, isBinary: boolean): void {
    const text = String(data).trim();
    if (this.#sink.buffered > maxUnread) this.#socket.terminate();
    else if (isBinary) this.#socket.close(1003, `expected ${expected}`);
    else if (text === "ping") this.#sink.send("pong");
    else if (text === "replay") this.#command(() => this.#replay());
    else {
      const position = resumePosition(text);
      if (position !== undefined) this.#command(() => this.#resume(position));
      else {
        const received = JSON.stringify(redactKeys(text.slice(0, 100)));
        this.#sendError(problem("request.malformed", `Expected ${expected}; got ${received}.`));
      }
    }
  }

  #command(run: () => Promise<void>): void {
    this.#endHold();
    this.#enqueue(run);
  }

  /** Holds messages back until the client has sent a command, or has had time to. */
  #hold(start: () => void): void {
    const onPong = (): void => {
      this.#stopHold = this.#deps.every(holdMs, () => {
        this.#endHold();
        start();
      });
    };
    this.#socket.once("pong", onPong);
    this.#stopHold = () => this.#socket.off("pong", onPong);
    this.#socket.ping();
  }

  #endHold(): void {
    this.#stopHold?.();
    this.#stopHold = undefined;
  }

  /** Executes commands in order, and closes the connection if one fails. */
  #enqueue(run: () => Promise<void>): void {
    if (this.#pending === maxPending) {
      this.#socket.close(1008, "too many commands at once");
      return;
    }
    this.#pending++;
    this.#commands = this.#commands
      .then(() => (this.#isOpen ? run() : undefined))
      .catch((error: Error) => this.#fail(error))
      .finally(() => this.#pending--);
  }

  async #replay(): Promise<void> {
    const { resource, subscription, positionOf } = this.#request;
    await positionOf();
    const from = this.#subscriber?.position ?? subscription.from;
    const upTo = { ...subscription, from, sink: this.#sink };
    await this.#follow(await this.#deps.hub.replayStart(resource, upTo, replayed));
  }

  async #resume(text: string): Promise<void> {
    const start = sincePositions.parse(text);
    if (start === undefined) {
      const received = JSON.stringify(redactKeys(text.slice(0, sincePositions.echoLimit)));
      throw new ProblemError(problem("request.parameters", `resume: expected the ID of a message; got ${received}.`));
    }
    await this.#follow(await this.#request.positionOf(start));
  }

  /** A client that ignored a failed resume would miss messages without noticing. */
  #fail(error: Error): void {
    const { id, request } = this.#request.exchange;
    const failure = toProblem(error, id, request, this.#deps.log);
    const { status, title } = problems[failure.code];
    const isExpected = error instanceof ProblemError;
    if (isExpected) this.#sendError(failure);
    this.#socket.close(isExpected ? 4000 + status : 1011, title);
  }

  #sendError({ code, detail }: Problem): void {
    this.#sink.send(JSON.stringify({ api_version: apiVersion, kind: "error", data: { code, detail } }));
  }
}

/** The position of a resume command; undefined if it isn't one. */
function resumePosition(text: string): string | undefined {
  try {
    const { resume } = JSON.parse(text) as { resume?: unknown };
    return typeof resume === "string" ? resume : undefined;
  } catch {
    return undefined;
  }
}
