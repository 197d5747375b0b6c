// `webhooks`: creates, lists, shows, changes, tests, replays, and removes webhooks.
import { UsageError } from "../../config.ts";
import type { Problem } from "../../core/problem.ts";
import { version } from "../../package.ts";
import { catalog } from "../../resources/catalog.ts";
import { compatTable } from "../../resources/compat/compat.ts";
import { parseList } from "../../settings/setting.ts";
import type { WebhookEntry } from "../../webhooks/entry.ts";
import { sendOptions } from "../../webhooks/send.ts";
import { WebhookStore } from "../../webhooks/webhook-store.ts";
import { type Command, type Invocation, print, printError } from "../command.ts";
import { actionOf } from "../shared/action.ts";
import { withStore } from "../shared/open-store.ts";
import { table } from "../shared/table.ts";

export const webhooksCommand: Command = {
  maxArgs: 3,
  settings: ["database", "webhook-networks", "compat"],
  options: {
    url: { value: "URL", help: "create, update: where messages are sent" },
    key: { value: "NAME", help: "create: key whose terms apply; by default everything is delivered" },
    since: {
      value: "POSITION",
      help: "create, replay: deliver what follows this position; start for everything that the change log retains",
    },
    state: { value: "active|paused", help: "update: whether events are delivered" },
    grace: { value: "HOURS", help: "rotate: how long messages are also signed with the old secret [24]" },
  },
  run: async (invocation) => actionOf("webhooks", actions, invocation.args[0])(invocation),
};

const actions: Readonly<Record<string, (invocation: Invocation) => Promise<number>>> = {
  create,
  list: (invocation) => withWebhooks(invocation, list),
  show: (invocation) => withWebhook(invocation, "show", show),
  update: (invocation) => withWebhook(invocation, "update", update),
  test: (invocation) => withWebhook(invocation, "test", test),
  replay: (invocation) => withWebhook(invocation, "replay", replay),
  rotate: (invocation) => withWebhook(invocation, "rotate", rotate),
  remove: (invocation) => withWebhook(invocation, "remove", remove),
};

type Action = (webhooks: WebhookStore, id: string, options: Invocation["options"]) => Promise<number>;

async function create(invocation: Invocation): Promise<number> {
  const [, resource = "", filters = ""] = invocation.args;
  const { url, key, since } = invocation.options;
  const members = { resource, filters, ...defined({ url, key, since }) };
  return withWebhooks(invocation, async (webhooks) => {
    const { entry, secret } = unwrap(await webhooks.create(members), "create");
    printError(`Created the webhook ${entry.id}. Its secret is shown only once.`);
    print(secret);
    return 0;
  });
}

async function list(webhooks: WebhookStore): Promise<number> {
  const entries = await webhooks.list();
  if (entries.length === 0)
    printError("no webhooks; create one with: bellwire webhooks create RESOURCE ['FILTERS'] --url URL");
  const rows = entries.map(({ id, state, resource, filters, url, lag_seconds: lag, held, last_delivery: last }) => [
    ...[id, state, resource, filters || "-", url, `${lag} s`, String(held)],
    last === null ? "-" : `${last.at} ${last.status ?? "no response"}`,
  ]);
  if (rows.length > 0)
    print(table(["ID", "STATE", "RESOURCE", "FILTERS", "URL", "LAG", "HELD", "LAST DELIVERY"], rows));
  return 0;
}

const show: Action = async (webhooks, id) => {
  printEntry(unwrap(await webhooks.find(id), "show"));
  const { deliveries } = unwrap(await webhooks.deliveries(id), "show");
  const rows = deliveries.map(({ at, event, attempt, status, milliseconds, response }) => [
    ...[at, event, String(attempt), String(status ?? "-"), `${milliseconds} ms`, response.slice(0, shownResponse)],
  ]);
  if (rows.length > 0) print(`\n${table(["TIME", "EVENT", "ATTEMPT", "STATUS", "LATENCY", "RESPONSE"], rows)}`);
  return 0;
};

/** Characters of a response in the table of deliveries. */
const shownResponse = 80;

const update: Action = async (webhooks, id, { url, state }) => {
  const members = defined({ url, state });
  if (Object.keys(members).length === 0) throw new UsageError("webhooks update: expected --url or --state");
  printEntry(unwrap(await webhooks.update(id, members), "update"));
  return 0;
};

const test: Action = async (webhooks, id) => {
  const { delivered, status, milliseconds, response } = unwrap(await webhooks.test(id), "test");
  const about = status === null ? [] : [`status ${status} after ${milliseconds} ms`];
  print([delivered ? "delivered" : "FAILED", ...about, ...(response === "" ? [] : [response])].join(": "));
  return delivered ? 0 : 1;
};

const replay: Action = async (webhooks, id, { since }) => {
  printEntry(unwrap(await webhooks.replay(id, defined({ since })), "replay"));
  return 0;
};

const rotate: Action = async (webhooks, id, { grace }) => {
  const members = grace === undefined ? {} : { grace_hours: /^\d{1,6}$/.test(String(grace)) ? Number(grace) : grace };
  const { secret } = unwrap(await webhooks.rotate(id, members), "rotate");
  printError(`Rotated the secret of ${id}. The new one is shown only once; "webhooks show" prints how long both sign.`);
  print(secret);
  return 0;
};

const remove: Action = async (webhooks, id) => {
  unwrap(await webhooks.remove(id), "remove");
  print(`removed ${id}`);
  return 0;
};

const withWebhooks = ({ config }: Invocation, work: (webhooks: WebhookStore) => Promise<number>): Promise<number> =>
  withStore(
    config,
    (store) =>
      work(
        new WebhookStore({
          store,
          lists: { catalog, compatTable, compat: config.get("compat") === "true" },
          send: sendOptions(version, parseList(config.get("webhook-networks"))),
          now: () => Date.now() / 1000,
        }),
      ),
    "must exist",
  );

/** Runs an action on an existing webhook; exit status 1 when there is none. */
async function withWebhook(invocation: Invocation, action: string, work: Action): Promise<number> {
  const [, id] = invocation.args;
  if (id === undefined) throw new UsageError(`webhooks ${action}: expected the ID of a webhook`);
  return withWebhooks(invocation, async (webhooks) => {
    try {
      return await work(webhooks, id, invocation.options);
    } catch (error) {
      if (!(error instanceof WebhookNotFoundError)) throw error;
      printError(`webhooks ${action}: no webhook has the ID "${id}"; see: bellwire webhooks list`);
      return 1;
    }
  });
}

class WebhookNotFoundError extends Error {}

/** The result, or a UsageError in terms of arguments and flags. */
function unwrap<T extends object>(outcome: T | { readonly problem: Problem }, action: string): T {
  if (!("problem" in outcome)) return outcome;
  const { code, detail, errors = [] } = (outcome as { problem: Problem }).problem;
  if (code === "webhook.absent") throw new WebhookNotFoundError();
  const reasons = errors.map(
    ({ parameter, expected, given }) => `${flagOf(parameter)}: expected ${expected}, got "${given}"`,
  );
  throw new UsageError(reasons.length === 0 ? `webhooks ${action}: ${detail}` : reasons.join("; "));
}

function flagOf(member: string): string {
  if (member === "resource") return "RESOURCE";
  if (member === "grace_hours") return "--grace";
  return Object.hasOwn(webhooksCommand.options ?? {}, member) ? `--${member}` : member;
}

const defined = (members: Invocation["options"]): Record<string, unknown> =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined));

const printEntry = (entry: WebhookEntry): void => {
  const rows = Object.entries(entry).map(([name, value]) => [name, cell(value)]);
  print(table(["NAME", "VALUE"], rows));
};

const cell = (value: unknown): string =>
  (typeof value === "object" && value !== null ? Object.values(value).join(" ") : String(value ?? "")) || "-";
