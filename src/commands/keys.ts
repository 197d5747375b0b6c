// `keys`: create, list and revoke API keys.
import { listOf, UsageError } from "../config.ts";
import { defaultScopes, type Scope, scopeNames } from "../core/scope.ts";
import { isDay, localDay } from "../core/zone.ts";
import { hashKey, makeKey } from "../keys/key.ts";
import { catalog } from "../resources/catalog.ts";
import type { KeyRow, NewKey, State, Store } from "../store/store.ts";
import { type Command, complain, type Invocation, say } from "./command.ts";
import { withStore } from "./open-store.ts";
import { table } from "./table.ts";

/** Licenses that a key can hold: those that some parameter needs. */
const licenses = [
  ...new Set(
    catalog.flatMap(({ rules }) =>
      rules.flatMap(({ inputs }) => Object.values(inputs).flatMap(({ license }) => license ?? [])),
    ),
  ),
];

export const keysCommand: Command = {
  usage: "keys create --name NAME | keys list | keys revoke NAME",
  help: "makes, lists and revokes API keys; a key is shown once, when it is made, alone on the last line",
  mostWords: 2,
  settings: ["database"],
  options: {
    name: { value: "NAME", help: "create: what the key is called in lists and logs" },
    license: {
      value: "LIST",
      help: `create: licenses that the key holds (${licenses.join(", ")}), separated by commas`,
    },
    scope: {
      value: "LIST",
      help: `create: what the key may do (${scopeNames.join(", ")}), separated by commas or given again [${defaultScopes.join(",")}]`,
      repeated: true,
    },
    expires: { value: "DAY", help: "create: last day on which the key is good, YYYY-MM-DD" },
  },
  run: async (invocation) => {
    const [action, name] = invocation.words;
    switch (action) {
      case "create":
        return create(invocation);
      case "list":
        return withStore(invocation.config, list, "must exist");
      case "revoke":
        if (name === undefined) throw new UsageError("keys revoke: expected the NAME of a key");
        return withStore(invocation.config, (store) => revoke(store, name), "must exist");
      default:
        throw new UsageError(
          `keys: expected create, list or revoke, got ${action === undefined ? "nothing" : `"${action}"`}`,
        );
    }
  },
};

/** Makes a key and gives it back: the only moment at which it is known. */
export async function createKey(
  store: Store,
  name: string,
  grants: Pick<NewKey, "licenses" | "scopes" | "expires">,
): Promise<string> {
  const taken = (await store.listKeys()).some((key) => key.name === name && key.revoked === undefined);
  if (taken) throw new UsageError(`--name: a key named "${name}" exists; revoke it first, or choose another name`);
  const key = makeKey();
  await store.addKey({ name, hash: hashKey(key), created: nowSeconds(), ...grants });
  return key;
}

async function create({ options, words, config }: Invocation): Promise<number> {
  // Every mistake is told before a database is made.
  if (words.length > 1) throw new UsageError(`keys create: unexpected "${words[1]}"; a name is given with --name`);
  const name = String(options.name ?? "").trim();
  if (name === "") throw new UsageError("--name: expected a name for the key");
  const held = listOf(String(options.license ?? ""));
  const strange = held.find((license) => !licenses.includes(license));
  if (strange !== undefined) throw new UsageError(`--license: expected ${licenses.join(", ")}, got "${strange}"`);
  const scopes = options.scope === undefined ? defaultScopes : scopesOf(String(options.scope));
  const expires = String(options.expires ?? "");
  if (expires !== "" && !isDay(expires))
    throw new UsageError(`--expires: expected a day as YYYY-MM-DD, got "${expires}"`);
  return withStore(config, async (store) => {
    const { rendering } = await store.state();
    if (expires !== "" && expires < localDay(rendering.zone, nowSeconds())) {
      throw new UsageError(`--expires: expected today or a later day, got "${expires}"`);
    }
    const key = await createKey(store, name, { licenses: held, scopes, expires });
    complain(`Key "${name}" made. It is shown only now; only a hash of it is kept.`);
    say(key);
    return 0;
  });
}

/** Each once, in the order of the catalogue: a list of keys then reads alike for all. */
function scopesOf(text: string): readonly Scope[] {
  const named = listOf(text);
  const strange = named.length === 0 ? "" : named.find((name) => !scopeNames.includes(name as Scope));
  if (strange !== undefined) throw new UsageError(`--scope: expected ${scopeNames.join(", ")}, got "${strange}"`);
  return scopeNames.filter((scope) => named.includes(scope));
}

async function list(store: Store): Promise<number> {
  const keys = await store.listKeys();
  const state = await store.state();
  if (keys.length === 0) complain("no keys; make one with: bellwire keys create --name NAME");
  const day = (seconds: number) => localDay(state.rendering.zone, seconds);
  const rows = keys.map((key) => [
    key.name,
    stateOf(key, state),
    day(key.created),
    key.expires || "-",
    key.scopes.join(","),
    key.licenses.join(",") || "-",
  ]);
  if (rows.length > 0) say(table(["NAME", "STATE", "CREATED", "EXPIRES", "SCOPES", "LICENSES"], rows));
  return 0;
}

function stateOf(key: KeyRow, { rendering }: State): string {
  if (key.revoked !== undefined) return "revoked";
  return key.expires !== "" && key.expires < localDay(rendering.zone, nowSeconds()) ? "expired" : "valid";
}

async function revoke(store: Store, name: string): Promise<number> {
  if (await store.revokeKey(name, nowSeconds())) {
    say(`revoked "${name}"`);
    return 0;
  }
  complain(`keys revoke: no valid key is named "${name}"; see: bellwire keys list`);
  return 1;
}

const nowSeconds = (): number => Math.floor(Date.now() / 1000);
