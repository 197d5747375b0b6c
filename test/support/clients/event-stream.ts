// A client of server-sent events that collects what it receives, and reconnects only when a test says so.
import { get, type IncomingMessage } from "node:http";
import { waitUntil } from "../wait-until.ts";
import type { Body } from "./api.ts";

export type StreamEvent = {
  readonly event: string;
  readonly id: string;
  readonly data: Body;
  /** As received. */
  readonly text: string;
};

export type EventStream = {
  readonly status: number;
  readonly headers: IncomingMessage["headers"];
  readonly events: readonly StreamEvent[];
  readonly comments: readonly string[];
  readonly retry: number | undefined;
  /** The position to continue from. */
  readonly lastId: string;
  readonly isClosed: boolean;
  /** The body of a response that isn't a stream. */
  readonly body: string;
  /** Resolves when this many events have arrived. */
  has(count: number): Promise<readonly StreamEvent[]>;
  closed(): Promise<void>;
  /** Stops and resumes reading. */
  pause(): void;
  resume(): void;
  /** Cuts the connection. */
  cut(): void;
};

export async function openStream(
  port: number,
  url: string,
  headers: Record<string, string> = {},
): Promise<EventStream> {
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    get({ port, host: "127.0.0.1", path: url, headers, agent: false }, resolve).once("error", reject);
  });
  const events: StreamEvent[] = [];
  const comments: string[] = [];
  let [text, body, lastId, isClosed] = ["", "", "", false];
  let retry: number | undefined;
  const dispatch = (block: string): void => {
    const fields = new Map<string, string>();
    for (const line of block.split("\n")) {
      const [, name = "", value = ""] = /^([^:]*): ?(.*)$/s.exec(line) ?? [];
      if (name === "") comments.push(value);
      else fields.set(name, value);
    }
    lastId = fields.get("id") ?? lastId;
    if (fields.has("retry")) retry = Number(fields.get("retry"));
    const data = fields.get("data");
    if (data !== undefined)
      events.push({ event: fields.get("event") ?? "", id: lastId, data: JSON.parse(data), text: data });
  };
  response.setEncoding("utf8").on("data", (chunk: string) => {
    body += chunk;
    const blocks = `${text}${chunk}`.split("\n\n");
    text = blocks.pop() ?? "";
    if (response.headers["content-type"] === "text/event-stream") for (const block of blocks) dispatch(block);
  });
  response.once("close", () => {
    isClosed = true;
  });
  response.on("error", () => {});
  return {
    status: response.statusCode ?? 0,
    headers: response.headers,
    events,
    comments,
    get retry() {
      return retry;
    },
    get lastId() {
      return lastId;
    },
    get isClosed() {
      return isClosed;
    },
    get body() {
      return body;
    },
    has: async (count) => {
      await waitUntil(() => events.length >= count || isClosed, `${count} events`);
      return events;
    },
    closed: () => waitUntil(() => isClosed, "the end of the stream"),
    pause: () => void response.pause(),
    resume: () => void response.resume(),
    cut: () => void response.destroy(),
  };
}

/** For a service whose streams have frequent heartbeats, which tell a client that it has received everything up to a position. */
export const frequentHeartbeats = (ms: number, callback: () => void) => {
  const timer = setInterval(callback, Math.min(ms, 50));
  return () => clearInterval(timer);
};
