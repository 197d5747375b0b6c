// Events of a database, read from its change log without a server.
import { setTimeout } from "node:timers/promises";
import { UsageError } from "../../config.ts";
import { matches } from "../../core/query/evaluate.ts";
import { parseListQuery } from "../../core/query/planner.ts";
import { parseQuery } from "../../core/query/query-string.ts";
import { sincePositions, streamOf } from "../../core/query/stream.ts";
import { streamPosition } from "../../core/query/stream-position.ts";
import { UserError } from "../../core/user-error.ts";
import { actionFor } from "../../live/entry-events.ts";
import { eventForm, restForm } from "../../live/event-form.ts";
import { everyInterval, goneReasons, Hub } from "../../live/hub.ts";
import { catalog } from "../../resources/catalog.ts";
import { type Store, StoreError, type StoreState } from "../../store/store.ts";
import { ignoredMessage, type TailEvent, type TailRequest } from "./tail-event.ts";

/** How often to check for commits. */
const pollMs = 100;

/** Delay before retrying once the database is lost. */
const retryMs = 1000;

const batchSize = 200;

export async function* databaseEvents(store: Store, request: TailRequest): AsyncGenerator<TailEvent> {
  const { resource, signal, report } = request;
  const first = await store.state();
  const { ignored } = compile(request, first);
  if (ignored.length > 0) report(ignoredMessage(ignored.join(", ")));
  let position = await startOf(store, request, first);
  let seen = -1;
  let isLost = false;
  while (!signal.aborted) {
    try {
      const state = await store.state();
      isLost = false;
      if (state.position === seen) {
        await setTimeout(pollMs, undefined, { signal }).catch(() => {});
        continue;
      }
      const { plan, form } = compile(request, state);
      const entries = await store.recordChanges(resource, position, batchSize);
      if ((await store.oldestPosition()) > position) throw new UserError(goneReasons.pruned);
      for (const entry of entries) {
        const action = actionFor(entry, (row) => matches(plan, row));
        position = entry.seq;
        if (action !== undefined)
          yield { position: streamPosition(state.databaseId, position), json: form.text(action, entry) };
        if (signal.aborted) return;
      }
      if (entries.length < batchSize) {
        seen = state.position;
        // Entries of other resources count as read, so that the position doesn't fall behind the log.
        position = Math.max(position, state.position);
      }
    } catch (error) {
      if (!(error instanceof StoreError)) throw error;
      if (!isLost) report(`${error.message}; trying again`);
      isLost = true;
      await setTimeout(retryMs, undefined, { signal }).catch(() => {});
    }
  }
}

async function startOf(store: Store, { resource, query, since }: TailRequest, state: StoreState): Promise<number> {
  const now = (): number => Math.floor(Date.now() / 1000);
  const hub = new Hub({ catalog, store, now, onError: () => {}, every: everyInterval });
  const [inQuery = ""] = parseQuery(query).query.get("since") ?? [];
  const start = await hub.start(resource, sincePositions.parse(since ?? inQuery), 0, state);
  if ("gone" in start) throw new UserError(`--since: ${goneReasons[start.gone]}`);
  return start.position;
}

/** The filters, and the form that records are printed in. */
function compile({ resource, query }: TailRequest, { rendering }: StoreState) {
  const parsed = parseQuery(query);
  const reading = parseListQuery(streamOf(resource), parsed.query, rendering);
  const wrong = [...parsed.errors, ...("errors" in reading ? reading.errors : [])];
  if (wrong.length > 0 || "errors" in reading) {
    const reasons = wrong.map(({ parameter, given, expected }) => `${parameter}: expected ${expected}, got "${given}"`);
    throw new UsageError(reasons.join("; "));
  }
  const { plan, ignored } = reading.ok;
  return { plan, ignored, form: eventForm(resource, restForm(reading.ok, rendering)) };
}
