// The combined stream: changes of several resources over one connection, as server-sent events.
import type { IncomingMessage } from "node:http";
import type { Resource } from "../../core/catalog/resource.ts";
import { invalidParameters, type ParameterError } from "../../core/problem.ts";
import {
  type CombinedStart,
  combinedParameters,
  combinedPosition,
  combinedSince,
  startFor,
} from "../../core/query/combined-stream.ts";
import { parseParameters } from "../../core/query/planner.ts";
import { parseQuery, queryOf } from "../../core/query/query-string.ts";
import { streamOf } from "../../core/query/stream.ts";
import { eventForm, restForm } from "../../live/event-form.ts";
import type { Sink } from "../../live/subscriber.ts";
import type { Exchange } from "../exchange.ts";
import { ignoredNames, type ParseRequest, withoutToken } from "../request/parsed-request.ts";
import { ProblemError } from "../response/problem-error.ts";
import { EventSink, writeEventHead } from "./event-sink.ts";
import { type Opened, openStream, type StreamDeps, streamParser, subscriptionOf } from "./open-stream.ts";
import type { StreamRoute } from "./stream-router.ts";
import type { OpenStream } from "./stream-slots.ts";

type Part = Opened & { readonly exchange: Exchange };

export function combinedStreamRoute(catalog: readonly Resource[], deps: StreamDeps): StreamRoute {
  const parsers = new Map(catalog.map((resource) => [resource, streamParser(resource, deps, "stream", streamOf)]));
  const parameters = combinedParameters(catalog);
  const serve = async (exchange: Exchange): Promise<void> => {
    const { query, errors: queryErrors } = parseQuery(queryOf(exchange.request.url ?? ""));
    const { values, errors, ignored } = parseParameters(parameters, query);
    const { start, error } = startOf(exchange.request, values.since);
    const invalid = [...queryErrors.map(withoutToken), ...errors, ...(error === undefined ? [] : [error])];
    const names = values.resources;
    const wanted = catalog.filter(({ name }) => names === undefined || names.includes(name));
    const parts = await openParts(exchange, wanted, names !== undefined, parsers, start, deps);
    if (invalid.length > 0) throw new ProblemError(invalidParameters("request.parameters", invalid));
    if (exchange.response.destroyed) return;
    const stream = deps.slots.take(exchange, exchange.key);
    const notes = ignored.filter((name) => name !== "" && name !== "token");
    writeEventHead(exchange, deps.origins, [
      ...(notes.length === 0 ? [] : ["x-ignored-parameters", ignoredNames(notes)]),
      ...deps.rateLimits.headersOf((parts[0] as Part).exchange.request),
    ]);
    if (!exchange.isHead) await send(exchange, parts, stream, deps);
  };
  return { route: { use: "stream", resource: "" }, isCompatOnly: false, serve };
}

/** The header takes precedence, as on other streams. */
function startOf(
  { headers }: IncomingMessage,
  since: CombinedStart | undefined,
): { readonly start: CombinedStart | undefined; readonly error?: ParameterError } {
  const header = headers["last-event-id"];
  if (typeof header !== "string" || header === "") return { start: since };
  const start = combinedSince.parse(header);
  if (start !== undefined) return { start };
  const given = header.slice(0, combinedSince.echoLimit);
  return { start: since, error: { parameter: "Last-Event-ID", given, expected: combinedSince.expected } };
}

/** Throws a ProblemError if the key has none of the resources, or not all of those that were named. */
async function openParts(
  exchange: Exchange,
  resources: readonly Resource[],
  areNamed: boolean,
  parsers: ReadonlyMap<Resource, ParseRequest>,
  start: CombinedStart | undefined,
  deps: StreamDeps,
): Promise<readonly Part[]> {
  const parts: Part[] = [];
  let refusal: ProblemError | undefined;
  let admitted: IncomingMessage | undefined;
  for (const resource of resources) {
    const part = partOf(exchange, resource);
    if (admitted !== undefined) deps.rateLimits.countWith(part.request, admitted);
    admitted ??= part.request;
    try {
      const parse = parsers.get(resource) as ParseRequest;
      parts.push({ exchange: part, ...(await openStream(part, resource, parse, deps, startFor(start, resource))) });
    } catch (error) {
      if (areNamed || !(error instanceof ProblemError) || error.problem.code !== "key.resource") throw error;
      refusal = error;
    } finally {
      exchange.key = part.key;
    }
  }
  if (parts.length === 0 && refusal !== undefined) throw refusal;
  return parts;
}

/** The request for the stream of one of the resources, by the same client with the same key. */
function partOf(exchange: Exchange, resource: Resource): Exchange {
  const { url = "", headers } = exchange.request;
  const token = queryOf(url)
    .split("&")
    .find((pair) => pair.startsWith("token="));
  const { "last-event-id": _, ...others } = headers;
  const request = Object.create(exchange.request, {
    url: { value: `${streamOf(resource).path}${token === undefined ? "" : `?${token}`}` },
    headers: { value: others },
  }) as IncomingMessage;
  return Object.create(exchange, {
    request: { value: request },
    key: { value: exchange.key, writable: true },
    records: { value: 0, writable: true },
    bytes: { value: 0, writable: true },
  }) as Exchange;
}

async function send(exchange: Exchange, parts: readonly Part[], stream: OpenStream, deps: StreamDeps): Promise<void> {
  const database = (parts[0] as Part).state.databaseId;
  const positions = new Map(parts.map(({ resource, from }) => [resource.name, from]));
  const sink = new EventSink(exchange, () => combinedPosition(database, positions));
  sink.start(0);
  for (const part of parts) {
    const { resource, request, state } = part;
    const form = deps.forms.share(eventForm(resource, restForm(request.parsedQuery, state.rendering)), resource, state);
    const subscription = {
      ...subscriptionOf(part.exchange, part, form, deps),
      sink: sinkOf(part, sink, positions, part === parts.at(-1)),
    };
    stream.add(await deps.hub.subscribe(resource, request.principal.delay, state, subscription));
  }
}

/** The part of a sink that receives the events of one resource. The last part writes the heartbeats of all. */
function sinkOf(
  { exchange, resource: { name } }: Part,
  sink: EventSink,
  positions: Map<string, number>,
  isLast: boolean,
): Sink {
  return {
    event: (action, seq, event) => {
      positions.set(name, seq);
      exchange.records++;
      exchange.bytes = (exchange.bytes ?? 0) + Buffer.byteLength(event);
      sink.event(action, seq, event);
    },
    flush: () => sink.flush(),
    heartbeat: (seq) => {
      positions.set(name, seq);
      if (isLast) sink.heartbeat(seq);
    },
    close: (reason) => sink.close(reason),
    drained: () => sink.drained(),
    get buffered() {
      return sink.buffered;
    },
    get drains() {
      return sink.drains;
    },
  };
}
