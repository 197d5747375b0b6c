// The stream of a list: server-sent events, or messages of a WebSocket.
import type { Resource } from "../../core/catalog/resource.ts";
import { problem } from "../../core/problem.ts";
import { compatStream, messagesOf, type StreamStart, streamOf, streamPath } from "../../core/query/stream.ts";
import { streamPosition } from "../../core/query/stream-position.ts";
import { eventForm, restForm } from "../../live/event-form.ts";
import type { Exchange } from "../exchange.ts";
import type { Origins } from "../headers/cors.ts";
import { requireOrigin } from "../headers/require-origin.ts";
import type { ParsedRequest } from "../request/parsed-request.ts";
import { ProblemError } from "../response/problem-error.ts";
import { acceptWebSocket } from "../websocket/handshake.ts";
import { messageForm } from "../websocket/message-form.ts";
import { Session } from "../websocket/session.ts";
import { isUpgrade } from "../websocket/upgrade.ts";
import { EventSink, writeEventHead } from "./event-sink.ts";
import { type Opened, openStream, type StreamDeps, streamParser, subscriptionOf } from "./open-stream.ts";
import type { StreamRoute } from "./stream-router.ts";

const pathsOf = (resource: Resource): string[] => [
  ...new Set([streamPath(resource.path), ...(resource.messages === undefined ? [] : [resource.messages.path])]),
];

/** Those that exist for everyone. */
export const listStreamPaths = (catalog: readonly Resource[]): string[] => catalog.flatMap(pathsOf);

export function listStreamRoutes(resource: Resource, deps: StreamDeps): [path: string, StreamRoute][] {
  const eventsPath = streamPath(resource.path);
  const paths = pathsOf(resource);
  const compat = deps.compatTable.get(resource);
  const compatPaths = compat === undefined ? [] : compatStream(compat, streamOf).paths.map(({ path }) => path);
  const parseEvents = streamParser(resource, deps, "stream", streamOf);
  const parseMessages = streamParser(resource, deps, "messages", (list) => messagesOf(list, resource));
  return [...new Set([...paths, ...compatPaths])].map((path) => {
    const hasEvents = async ({ request }: Exchange): Promise<boolean> =>
      path === eventsPath || (compatPaths.includes(path) && (await deps.isCompat(request)));
    const serve = async (exchange: Exchange): Promise<void> => {
      const isMessages = isUpgrade(exchange.request);
      if (!isMessages && !(await hasEvents(exchange)))
        throw new ProblemError(
          problem("request.upgrade", upgradeDetail(eventsPath), { headers: { upgrade: "websocket" } }),
        );
      if (isMessages) checkOrigin(exchange, deps.origins);
      const opened = await openStream(exchange, resource, isMessages ? parseMessages : parseEvents, deps);
      // If the client has left already, the response won't be closed again.
      if (!exchange.response.destroyed) await (isMessages ? sendMessages : sendEvents)(exchange, opened, deps);
    };
    const route = { use: "stream", resource: resource.name } as const;
    return [path, { route, isCompatOnly: !paths.includes(path), serve }];
  });
}

const upgradeDetail = (eventsPath: string): string =>
  `This path serves WebSocket connections only; server-sent events are served at ${eventsPath}.`;

/** Browsers enforce the allowed origins for responses, but leave it to the server for WebSockets. */
function checkOrigin({ request: { headers } }: Exchange, origins: Origins): void {
  const { origin, host } = headers;
  const isOwn = URL.canParse(origin ?? "") && new URL(origin ?? "").host === host;
  if (!isOwn) requireOrigin(origin, origins, "open a WebSocket");
}

/** Headers that streams have in common, besides those of every response: notes on parameters, and rate limits. */
function headersOf({ request }: Exchange, { headers }: ParsedRequest, { rateLimits }: StreamDeps): string[] {
  const notes = headers.filter((_, at) => headers[at - (at % 2)]?.startsWith("x-"));
  return [...notes, ...rateLimits.headersOf(request)];
}

async function sendEvents(exchange: Exchange, opened: Opened, deps: StreamDeps): Promise<void> {
  const { resource, request, state, from } = opened;
  const stream = deps.slots.take(exchange, request.principal.name);
  writeEventHead(exchange, deps.origins, headersOf(exchange, request, deps));
  if (exchange.isHead) return;
  const sink = new EventSink(exchange, (seq) => streamPosition(state.databaseId, seq));
  sink.start(from);
  const form = deps.forms.share(eventForm(resource, restForm(request.parsedQuery, state.rendering)), resource, state);
  const subscription = { ...subscriptionOf(exchange, opened, form, deps), sink };
  stream.add(await deps.hub.subscribe(resource, request.principal.delay, state, subscription));
}

async function sendMessages(exchange: Exchange, opened: Opened, deps: StreamDeps): Promise<void> {
  const { resource, parse, request, state, start } = opened;
  deps.slots.take(exchange, request.principal.name);
  const headers = ["X-Request-Id", exchange.id, ...headersOf(exchange, request, deps)];
  const socket = await acceptWebSocket(exchange, headers);
  if (socket === undefined) return;
  const rest = restForm(request.parsedQuery, state.rendering);
  const form = deps.forms.share(messageForm(resource, rest, deps.isStoryForm, state.databaseId), resource, state);
  const session = {
    exchange,
    resource,
    delayMinutes: request.principal.delay,
    subscription: subscriptionOf(exchange, opened, form, deps),
    hasStart: start !== undefined,
    positionOf: async (at?: StreamStart) => {
      deps.rateLimits.countAgain(exchange.request);
      return (await openStream(exchange, resource, parse, deps, at)).from;
    },
  };
  new Session(socket, session, deps);
}
