// Webhook store: creates, changes, tests, replays, and removes webhooks, for both the command and the API.
import { type ParameterError, problem } from "../core/problem.ts";
import { type StreamStart, sincePositions } from "../core/query/stream.ts";
import {
  maxLoggedDeliveries,
  type WebhookChanges,
  type WebhookProgress,
  type WebhookRow,
  type WebhookSecret,
} from "../core/webhook.ts";
import { type Failure, graceSeconds, invalidMembers, type Members, unknownMembers } from "../keys/members.ts";
import { parameterError } from "../keys/terms.ts";
import { everyInterval, goneReasons, Hub } from "../live/hub.ts";
import type { Store } from "../store/store.ts";
import { compile, type Definition, type Lists } from "./definition.ts";
import { type DeliveryEntry, deliveryEntry, entryOf, type WebhookEntry } from "./entry.ts";
import { generateSecret, generateWebhookId, payload, signedHeaders, signing, testMessageId } from "./message.ts";
import { isSuccess, Sender, type SendOptions } from "./send.ts";
import { parseTarget, targetExpected } from "./target.ts";

/** A webhook with a new secret: the only time it is shown. */
export type WithSecret = { readonly entry: WebhookEntry; readonly secret: string };
type TestResult = DeliveryEntry & { readonly delivered: boolean };

export type WebhookStoreDeps = {
  readonly store: Store;
  readonly lists: Lists;
  readonly send: SendOptions;
  /** Unix seconds. */
  readonly now: () => number;
};

/** Webhooks of one key, or of no key. */
export const maxWebhooks = 100;

export class WebhookStore {
  readonly #deps: WebhookStoreDeps;

  constructor(deps: WebhookStoreDeps) {
    this.#deps = deps;
  }

  async list(): Promise<readonly WebhookEntry[]> {
    return Promise.all((await this.#rows.list()).map((row) => this.#show(row)));
  }

  async find(id: string): Promise<WebhookEntry | Failure> {
    const row = await this.#find(id);
    return row === undefined ? absent(id) : this.#show(row);
  }

  async create({ url, since, ...rest }: Members): Promise<WithSecret | Failure> {
    const { definition, errors } = readDefinition(rest);
    const target = await parseTarget(url, this.#deps.send.isAllowed);
    if (target === undefined) errors.unshift(parameterError("url", url ?? "", targetExpected));
    const start = await this.#startOf(definition, readSince(since, errors));
    if ("errors" in start) errors.push(...start.errors);
    if (errors.length > 0 || target === undefined || "errors" in start) return invalidMembers(errors);
    const others = (await this.#rows.list()).filter(({ key }) => key === definition.key);
    if (others.length >= maxWebhooks) return full(definition.key);
    const secret = generateSecret();
    const created = this.#seconds;
    const row: WebhookRow = {
      ...{ id: generateWebhookId(), url: target.href, ...definition, secrets: [{ secret }], created, changed: created },
      ...{ state: "active", reason: "", version: 1, progress: newProgress(start.position) },
    };
    await this.#rows.add(row);
    return { entry: await this.#show(row), secret };
  }

  /** Changes the target, pauses, or activates it again: held events are then attempted at once. */
  async update(id: string, { url, state, ...rest }: Members): Promise<WebhookEntry | Failure> {
    const errors = unknownMembers(rest, "only url and state");
    const target = url === undefined ? undefined : await parseTarget(url, this.#deps.send.isAllowed);
    if (url !== undefined && target === undefined) errors.push(parameterError("url", url, targetExpected));
    if (state !== undefined && state !== "active" && state !== "paused")
      errors.push(parameterError("state", state, "active or paused"));
    if (errors.length > 0) return invalidMembers(errors);
    const changed = this.#seconds;
    return this.#change(id, (row) => ({
      ...(target === undefined ? {} : { url: target.href }),
      ...(state === undefined || state === row.state
        ? {}
        : { state: state as "active" | "paused", reason: "", changed }),
      ...(state !== "active" || state === row.state ? {} : { progress: resumed(row.progress, changed) }),
    }));
  }

  /** Creates a secret that replaces the others, which still sign for `grace_hours`. */
  async rotate(id: string, members: Members): Promise<WithSecret | Failure> {
    const parsed = graceSeconds(members);
    if ("problem" in parsed) return parsed;
    const secret = generateSecret();
    const now = this.#seconds;
    const until = now + parsed.grace;
    const retire = (each: WebhookSecret): WebhookSecret => ({ ...each, until: Math.min(each.until ?? until, until) });
    const entry = await this.#change(id, ({ secrets }) => ({
      secrets: [{ secret }, ...signing(secrets.map(retire), now)],
    }));
    return "problem" in entry ? entry : { entry, secret };
  }

  /** Delivers everything after a position again. */
  async replay(id: string, { since = "", ...rest }: Members): Promise<WebhookEntry | Failure> {
    const errors = unknownMembers(rest, "only since");
    const from = readSince(since, errors);
    const row = await this.#find(id);
    if (row === undefined) return absent(id);
    if (errors.length > 0) return invalidMembers(errors);
    const start = await this.#startOf(row, from);
    if ("errors" in start) return invalidMembers(start.errors);
    const changed = this.#seconds;
    return this.#change(id, ({ progress: { epoch, delivered } }) => ({
      ...{ state: "active", reason: "", changed },
      progress: { ...newProgress(start.position), epoch: epoch + 1, delivered },
    }));
  }

  /** Sends a message now, and doesn't retry it. */
  async test(id: string, members: Members = {}): Promise<TestResult | Failure> {
    const { store, send, now } = this.#deps;
    const errors = unknownMembers(members, "no members");
    const row = await this.#find(id);
    if (row === undefined) return absent(id);
    if (errors.length > 0) return invalidMembers(errors);
    const at = Math.round(now() * 1000);
    const message = testMessageId(id, (await store.state()).databaseId, at);
    const body = payload("webhook.test", now(), JSON.stringify({ webhook: id, resource: row.resource }));
    const sender = new Sender(send);
    const headers = signedHeaders(message, body, row.secrets, now());
    const sent = await sender.send(new URL(row.url), { headers, body }).finally(() => sender.close());
    const { status, ms, response } = sent;
    const delivery = { webhook: id, at, message, event: "webhook.test", attempt: 1, status, ms, response };
    await this.#rows.save([], [delivery]);
    return { delivered: isSuccess(sent), ...deliveryEntry(delivery) };
  }

  /** The last attempts, newest first. */
  async deliveries(id: string): Promise<{ readonly deliveries: readonly DeliveryEntry[] } | Failure> {
    if ((await this.#find(id)) === undefined) return absent(id);
    return { deliveries: (await this.#rows.deliveries(id, maxLoggedDeliveries)).map(deliveryEntry) };
  }

  async remove(id: string): Promise<WebhookEntry | Failure> {
    const entry = await this.find(id);
    return "problem" in entry || (await this.#rows.remove(id)) ? entry : absent(id);
  }

  get #rows(): Store["webhooks"] {
    return this.#deps.store.webhooks;
  }

  get #seconds(): number {
    return Math.floor(this.#deps.now());
  }

  async #find(id: string): Promise<WebhookRow | undefined> {
    return (await this.#rows.list()).find((row) => row.id === id);
  }

  async #show(row: WebhookRow): Promise<WebhookEntry> {
    const { store, now } = this.#deps;
    return entryOf(row, store, await store.state(), now());
  }

  /** Retries if it was changed in the meantime. */
  async #change(id: string, changesOf: (row: WebhookRow) => WebhookChanges): Promise<WebhookEntry | Failure> {
    for (;;) {
      const row = await this.#find(id);
      if (row === undefined) return absent(id);
      const changes = changesOf(row);
      if (await this.#rows.update(id, row.version, changes)) return this.#show({ ...row, ...changes });
    }
  }

  /** The position to start from, or why there is none. */
  async #startOf(definition: Definition, since: StreamStart | undefined) {
    const { store, lists, now } = this.#deps;
    const state = await store.state();
    const compiled = await compile(definition, lists, store, state, now());
    if ("errors" in compiled) return compiled;
    const { resource, delayMinutes } = compiled.ok;
    const hub = new Hub({ catalog: lists.catalog, store, now, onError: () => {}, every: everyInterval });
    const start = await hub.start(resource, since, delayMinutes, state);
    return "gone" in start ? { errors: [sinceError(since, goneReasons[start.gone])] } : start;
  }
}

const newProgress = (position: number): WebhookProgress => ({
  ...{ epoch: 0, position, held: [], pausedUntil: 0, delivered: 0 },
});

/** Held events are attempted immediately, and get another three days. */
const resumed = (progress: WebhookProgress, now: number): WebhookProgress => ({
  ...progress,
  epoch: progress.epoch + 1,
  held: progress.held.map((each) => ({ ...each, attempts: 0, failedAt: now, retryAt: now })),
  pausedUntil: 0,
});

function readDefinition(members: Members): { definition: Definition; errors: ParameterError[] } {
  const { resource = "", filters = "", key = "", ...rest } = members;
  const errors = unknownMembers(rest, "one of url, resource, filters, key, since");
  const text = (name: string, value: unknown): string => {
    if (typeof value === "string") return value.trim();
    errors.push(parameterError(name, value, "a text"));
    return "";
  };
  const definition = {
    resource: text("resource", resource),
    filters: text("filters", filters).replace(/^\?/, ""),
    key: text("key", key),
  };
  return { definition, errors };
}

/** Undefined: from now on. */
function readSince(since: unknown, errors: ParameterError[]): StreamStart | undefined {
  if (since === undefined) return undefined;
  const start = typeof since === "string" ? sincePositions.parse(since.trim()) : undefined;
  if (start === undefined) errors.push(parameterError("since", since, sincePositions.expected));
  return start;
}

const sinceError = (since: StreamStart | undefined, reason: string): ParameterError => ({
  parameter: "since",
  given: typeof since === "object" && "seq" in since ? `${since.database}.${since.seq}` : String(since),
  expected: `start, or a position that the change log still has. ${reason}`,
});

const absent = (id: string): Failure => ({
  problem: problem("webhook.absent", `No webhook has the ID ${parameterError("", JSON.stringify(id), "").given}.`),
});

const full = (key: string): Failure => ({
  problem: problem(
    "webhook.limit",
    `${key === "" ? "There are" : `The key "${key}" has`} ${maxWebhooks} webhooks${key === "" ? " without a key" : ""}, which is the limit; remove one first.`,
  ),
});
