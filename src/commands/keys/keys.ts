// `keys`: creates, lists, shows, updates, rotates, and revokes API keys, and shows their usage.
import { UsageError } from "../../config.ts";
import type { Problem } from "../../core/problem.ts";
import { localDay } from "../../core/value/time-zone.ts";
import { type KeyEntry, KeyStore, keyNameExpected, parseKeyName } from "../../keys/key-store.ts";
import { parameterError } from "../../keys/terms.ts";
import type { Store } from "../../store/store.ts";
import { type Command, type Invocation, print, printError } from "../command.ts";
import { actionOf } from "../shared/action.ts";
import { withStore } from "../shared/open-store.ts";
import { table } from "../shared/table.ts";
import { flagError, offer, termFlags, termsFromFlags } from "./key-flags.ts";
import { showUsage, usageOptions } from "./key-usage.ts";

export const keysCommand: Command = {
  maxArgs: 2,
  settings: ["database"],
  options: {
    name: { value: "NAME", help: "create: name of the key in lists and logs" },
    ...Object.fromEntries(
      Object.entries(termFlags).map(([name, { value = "", help, repeated = false }]) => [
        name,
        { value, help: `create, update: ${help}`, repeated },
      ]),
    ),
    ...usageOptions,
    grace: { value: "HOURS", help: "rotate: how long the old key stays valid [24]" },
  },
  run: async (invocation) => actionOf("keys", actions, invocation.args[0])(invocation),
};

const actions: Readonly<Record<string, (invocation: Invocation) => Promise<number>>> = {
  create,
  list: ({ config }) => withStore(config, list, "must exist"),
  show: (invocation) => withKey(invocation, "show", async (keys, name) => show(unwrap(await keys.find(name)))),
  update,
  rotate,
  revoke: (invocation) =>
    withKey(invocation, "revoke", async (keys, name) => {
      unwrap(await keys.revoke(name));
      print(`revoked "${name}"`);
    }),
  usage: showUsage,
};

const openKeyStore = (store: Store): KeyStore => new KeyStore(store, offer, () => Date.now() / 1000);

/** Creates a key and returns it: the only time it is known. */
export async function createKey(store: Store, name: string, terms: Readonly<Record<string, unknown>>): Promise<string> {
  return unwrap(await openKeyStore(store).create({ name, ...terms }), "--name").key;
}

async function create({ options, args, config }: Invocation): Promise<number> {
  // Every invalid argument is reported before a database is created.
  if (args.length > 1) throw new UsageError(`keys create: unexpected "${args[1]}"; use --name for the name`);
  const name = parseKeyName(options.name);
  if (options.name === undefined) throw new UsageError(`--name: expected ${keyNameExpected}, got nothing`);
  if (name === undefined) throw flagError(parameterError("name", String(options.name), keyNameExpected));
  const terms = termsFromFlags(options);
  return withStore(config, async (store) => {
    const key = await createKey(store, name, terms);
    printError(`Created the key "${name}". It is shown only once; only its hash is stored.`);
    print(key);
    return 0;
  });
}

async function update(invocation: Invocation): Promise<number> {
  const terms = termsFromFlags(invocation.options);
  if (Object.keys(terms).length === 0)
    throw new UsageError(`keys update: expected one of --${Object.keys(termFlags).join(", --")}`);
  return withKey(invocation, "update", async (keys, name) => show(unwrap(await keys.update(name, terms))));
}

async function rotate(invocation: Invocation): Promise<number> {
  const { grace } = invocation.options;
  const body = grace === undefined ? {} : { grace_hours: /^\d{1,6}$/.test(String(grace)) ? Number(grace) : grace };
  return withKey(invocation, "rotate", async (keys, name) => {
    const { key } = unwrap(await keys.rotate(name, body));
    printError(
      `Rotated the key "${name}". The new key is shown only once; "keys list" shows how long the old one stays valid.`,
    );
    print(key);
  });
}

/** Runs an action on an existing key; exit status 1 when there is none. */
async function withKey(
  { args, config }: Invocation,
  action: string,
  work: (keys: KeyStore, name: string) => Promise<void>,
): Promise<number> {
  const [, name] = args;
  if (name === undefined) throw new UsageError(`keys ${action}: expected the NAME of a key`);
  return withStore(
    config,
    async (store) => {
      try {
        await work(openKeyStore(store), name);
        return 0;
      } catch (error) {
        if (!(error instanceof KeyNotFoundError)) throw error;
        printError(`keys ${action}: no valid key is named "${name}"; see: bellwire keys list`);
        return 1;
      }
    },
    "must exist",
  );
}

class KeyNotFoundError extends Error {}

/** The result, or a UsageError in terms of flags. */
function unwrap<T extends object>(outcome: T | { readonly problem: Problem }, flag = "keys"): T {
  if (!("problem" in outcome)) return outcome;
  const { code, detail, errors } = (outcome as { problem: Problem }).problem;
  if (code === "key.absent") throw new KeyNotFoundError();
  const [wrong] = errors ?? [];
  throw wrong === undefined ? new UsageError(`${flag}: ${detail}`) : flagError(wrong);
}

async function list(store: Store): Promise<number> {
  const keys = await openKeyStore(store).list();
  const { zone } = (await store.state()).rendering;
  if (keys.length === 0) printError("no keys; create one with: bellwire keys create --name NAME");
  const rows = keys.map(({ name, state, created, expires, scopes, licenses, revoked }) => [
    name,
    state === "retiring" ? `retiring until ${revoked}` : state,
    localDay(zone, Date.parse(created) / 1000),
    ...[expires, scopes, licenses].map(cell),
  ]);
  if (rows.length > 0) print(table(["NAME", "STATE", "CREATED", "EXPIRES", "SCOPES", "LICENSES"], rows));
  return 0;
}

const show = (entry: KeyEntry): void => {
  const rows = Object.entries(entry).map(([name, value]) => [name, cell(value)]);
  print(table(["TERM", "VALUE"], rows));
};

const cell = (value: unknown): string => (Array.isArray(value) ? value.join(",") : String(value)) || "-";
