// `links`: creates, lists, and revokes links, URLs that serve one list on behalf of a key.
import { UsageError } from "../../config.ts";
import { LinkStore } from "../../keys/link-store.ts";
import { catalog } from "../../resources/catalog.ts";
import { extensions } from "../../resources/lists/extensions.ts";
import type { Store } from "../../store/store.ts";
import { type Command, type Invocation, print, printError } from "../command.ts";
import { actionOf } from "../shared/action.ts";
import { withStore } from "../shared/open-store.ts";
import { table } from "../shared/table.ts";
import { flagError } from "./key-flags.ts";

export const linksCommand: Command = {
  maxArgs: 2,
  settings: ["database"],
  options: {
    key: { value: "NAME", help: "create: key on whose behalf the link reads; list: only the links of this key" },
    name: { value: "TEXT", help: "create: what the link is for, shown in lists" },
  },
  run: async (invocation) => {
    const run = actionOf("links", actions, invocation.args[0]);
    return withStore(invocation.config, (store) => run(invocation, open(store)), "must exist");
  },
};

const open = (store: Store): LinkStore => new LinkStore(store, [...catalog, ...extensions], () => Date.now() / 1000);

const actions: Readonly<Record<string, (invocation: Invocation, links: LinkStore) => Promise<number>>> = {
  create,
  list,
  revoke,
};

async function create({ args: [, url], options }: Invocation, links: LinkStore): Promise<number> {
  if (url === undefined) throw new UsageError("links create: expected the 'URL' of a list, in quotes");
  if (options.key === undefined) throw new UsageError("--key: expected the name of a key, got nothing");
  const made = await links.create({ url, key: options.key, ...(options.name && { name: options.name }) });
  if ("problem" in made) {
    const [wrong] = made.problem.errors ?? [];
    if (wrong === undefined) throw new UsageError(`links create: ${made.problem.detail}`);
    if (wrong.parameter === "key" || wrong.parameter === "name") throw flagError(wrong);
    const { parameter, given, expected } = wrong;
    throw new UsageError(`${parameter === "url" ? "URL" : parameter}: expected ${expected}, got "${given}"`);
  }
  printError(
    `Created the link ${made.entry.id} on behalf of the key "${made.entry.key}". It is shown only once; append it to the server's address.`,
  );
  print(made.url);
  return 0;
}

async function list({ options }: Invocation, links: LinkStore): Promise<number> {
  const all = await links.list(options.key as string | undefined);
  if (all.length === 0) printError("no links; create one with: bellwire links create 'URL' --key NAME");
  const rows = all.map(({ id, name, key, state, requests, last_used, list_url }) =>
    [id, name, key, state, String(requests), last_used, list_url].map((cell) => cell || "-"),
  );
  if (rows.length > 0) print(table(["ID", "NAME", "KEY", "STATE", "REQUESTS", "LAST USED", "LIST"], rows));
  return 0;
}

async function revoke({ args: [, id] }: Invocation, links: LinkStore): Promise<number> {
  if (id === undefined) throw new UsageError("links revoke: expected the ID of a link");
  const revoked = await links.revoke(id);
  if ("problem" in revoked) {
    printError(`links revoke: no valid link has the ID "${id}"; see: bellwire links list`);
    return 1;
  }
  print(`revoked ${id}`);
  return 0;
}
