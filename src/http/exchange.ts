// One request and its response: what every part of the server knows about it, and what is recorded when it ends.
import type { IncomingMessage, ServerResponse } from "node:http";
import type { UsableLink } from "../store/store.ts";
import { noRoute, type Route } from "./observe/access-log.ts";
import { isRefused } from "./protection/pipelining.ts";
import { requestId } from "./request/request-id.ts";

const bound = Symbol("exchange");

/** What a response holds until it is closed. */
export type Held = { release(): void };

export class Exchange {
  /** As received. */
  readonly received: IncomingMessage;
  /** As served: a link's is a request for its list. */
  request: IncomingMessage;
  /** The link that the request came in by. */
  link: UsableLink | undefined;
  readonly response: ServerResponse;
  readonly id: string;
  /** Milliseconds on the process's monotonic clock. */
  readonly startedAt: number;
  route: Route = noRoute;
  /** Values of the named segments of a list's path, as `id` in `/api/v2/news/{id}`. */
  pathParameters: Readonly<Record<string, string>> = {};
  /** Name of the key; empty until it is known. */
  key = "";
  /** Records in the response, or in the body of the request. */
  records = 0;
  /** Length of the body, where it isn't read from the response's headers. */
  bytes: number | undefined;
  /** Whether the response needed no record to be read. */
  fromCache = false;
  /** Whether the connection has become a WebSocket. */
  isUpgraded = false;
  held: Held | undefined;

  constructor(request: IncomingMessage, response: ServerResponse, startedAt: number) {
    this.received = request;
    this.request = request;
    this.link = undefined;
    this.response = response;
    this.startedAt = startedAt;
    this.id = requestId(request.headers["x-request-id"]);
    (request as Bound)[bound] = this;
    (response as Bound)[bound] = this;
  }

  get isHead(): boolean {
    return this.request.method === "HEAD";
  }

  /** Whether nobody waits for the response any longer, or its connection is being closed. */
  get isAborted(): boolean {
    return isRefused(this.request.socket);
  }
}

type Bound = (IncomingMessage | ServerResponse) & { [bound]?: Exchange };

/** The exchange that a request or response belongs to. */
export const exchangeOf = (message: Bound): Exchange => message[bound] as Exchange;
