// Open streams as operators see them: who is connected, with which filters, and how far each has come.
import type { phases, transports } from "../core/open-streams.ts";
import { isoTime } from "../core/value/timestamp.ts";
import type { Feed } from "./feed.ts";
import type { CloseReason, Subscriber } from "./subscriber.ts";

/** The client of a subscription. */
export type StreamClientInfo = {
  /** Name of its key. */
  readonly key: string;
  readonly transport: (typeof transports)[number];
  /** Its query, without key and position. */
  readonly filters: string;
  readonly address: string;
  /** Unix seconds. */
  readonly opened: number;
  readonly events: number;
  readonly bytes: number;
};

export type OpenStreamsQuery = {
  readonly key?: string | undefined;
  readonly resource?: string | undefined;
  readonly limit: number;
};

type OpenStream = Omit<StreamClientInfo, "opened"> & {
  readonly resource: string;
  readonly opened: string;
  readonly delay_minutes: number;
  readonly phase: (typeof phases)[number];
  readonly behind: number;
  readonly unread: number;
};

export type OpenStreams = {
  readonly open: number;
  readonly closed: Readonly<Record<CloseReason, number>>;
  /** Those that are furthest behind first, then by the time since they are open. */
  readonly streams: readonly OpenStream[];
};

/** The streams of a process. */
export function openStreams(
  subscribers: Iterable<readonly [Subscriber, Feed]>,
  closed: OpenStreams["closed"],
  query: OpenStreamsQuery,
): OpenStreams {
  const streams: OpenStream[] = [];
  for (const [subscriber, feed] of subscribers) {
    const { name } = feed.resource;
    const client = subscriber.client.info();
    if (query.resource !== undefined && query.resource !== name) continue;
    if (query.key !== undefined && query.key !== client.key) continue;
    streams.push({ resource: name, ...client, opened: isoTime(client.opened), ...progress(subscriber, feed) });
  }
  return { open: streams.length, closed, streams: firstOf(streams, query.limit) };
}

/** The streams of all processes of a server. */
export function mergeOpenStreams(processes: readonly OpenStreams[], limit: number): OpenStreams {
  const sum = (count: (streams: OpenStreams) => number) => processes.reduce((total, each) => total + count(each), 0);
  const reasons = Object.keys(processes[0]?.closed ?? {}) as CloseReason[];
  return {
    open: sum(({ open }) => open),
    closed: Object.fromEntries(reasons.map((reason) => [reason, sum(({ closed }) => closed[reason])])) as Record<
      CloseReason,
      number
    >,
    streams: firstOf(
      processes.flatMap(({ streams }) => streams),
      limit,
    ),
  };
}

function progress(subscriber: Subscriber, feed: Feed) {
  const isLive = feed.isLive(subscriber);
  return {
    delay_minutes: feed.delayMinutes,
    phase: isLive ? ("live" as const) : ("catching up" as const),
    behind: isLive ? 0 : Math.max(0, feed.position - subscriber.position),
    unread: subscriber.sink.buffered,
  };
}

const firstOf = (streams: OpenStream[], limit: number): readonly OpenStream[] =>
  streams.sort((a, b) => b.behind - a.behind || b.unread - a.unread || (a.opened < b.opened ? -1 : 1)).slice(0, limit);
