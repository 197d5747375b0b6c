// `keys`: make, show, list, change, replace and revoke API keys, and see their use.
import { UsageError } from "../../config.ts";
import type { Problem } from "../../core/problem.ts";
import { localDay } from "../../core/value/time-zone.ts";
import { type Entry, type KeyBook, keyBook, nameExpected, readName } from "../../keys/key-store.ts";
import { mistake } from "../../keys/terms.ts";
import type { Store } from "../../store/store.ts";
import { type Command, complain, type Invocation, say } from "../command.ts";
import { withStore } from "../shared/open-store.ts";
import { table } from "../shared/table.ts";
import { offer, termFlags, termsGiven, usage } from "./key-flags.ts";
import { showUsage, usageOptions } from "./key-usage.ts";

export const keysCommand: Command = {
  mostWords: 2,
  settings: ["database"],
  options: {
    name: { value: "NAME", help: "create: what the key is called in lists and logs" },
    ...Object.fromEntries(
      Object.entries(termFlags).map(([name, { value = "", help, repeated = false }]) => [
        name,
        { value, help: `create, update: ${help}`, repeated },
      ]),
    ),
    ...usageOptions,
    grace: { value: "HOURS", help: "rotate: how long the old key stays good [24]" },
  },
  run: async (invocation) => {
    const [action] = invocation.words;
    const run = action !== undefined && Object.hasOwn(actions, action) ? actions[action] : undefined;
    if (run !== undefined) return run(invocation);
    const given = action === undefined ? "nothing" : `"${action}"`;
    throw new UsageError(`keys: expected ${Object.keys(actions).join(", ")}, got ${given}`);
  },
};

const actions: Readonly<Record<string, (invocation: Invocation) => Promise<number>>> = {
  create,
  list: ({ config }) => withStore(config, list, "must exist"),
  show: (invocation) => onKey(invocation, "show", async (book, name) => show(done(await book.find(name)))),
  update,
  rotate,
  revoke: (invocation) =>
    onKey(invocation, "revoke", async (book, name) => {
      done(await book.revoke(name));
      say(`revoked "${name}"`);
    }),
  usage: showUsage,
};

const bookOf = (store: Store): KeyBook => keyBook(store, offer, () => Date.now() / 1000);

/** Makes a key and gives it back: the only moment at which it is known. */
export async function createKey(store: Store, name: string, terms: Readonly<Record<string, unknown>>): Promise<string> {
  return done(await bookOf(store).create({ name, ...terms }), "--name").key;
}

async function create({ options, words, config }: Invocation): Promise<number> {
  // Every mistake is told before a database is made.
  if (words.length > 1) throw new UsageError(`keys create: unexpected "${words[1]}"; a name is given with --name`);
  const name = readName(options.name);
  if (name === undefined) throw usage(mistake("name", String(options.name ?? ""), nameExpected));
  const terms = termsGiven(options);
  return withStore(config, async (store) => {
    const key = await createKey(store, name, terms);
    complain(`Key "${name}" made. It is shown only now; only a hash of it is kept.`);
    say(key);
    return 0;
  });
}

async function update(invocation: Invocation): Promise<number> {
  const terms = termsGiven(invocation.options);
  if (Object.keys(terms).length === 0)
    throw new UsageError(`keys update: expected one of --${Object.keys(termFlags).join(", --")}`);
  return onKey(invocation, "update", async (book, name) => show(done(await book.update(name, terms))));
}

async function rotate(invocation: Invocation): Promise<number> {
  const { grace } = invocation.options;
  const given = grace === undefined ? {} : { grace_hours: /^\d{1,6}$/.test(String(grace)) ? Number(grace) : grace };
  return onKey(invocation, "rotate", async (book, name) => {
    const { key } = done(await book.rotate(name, given));
    complain(`Key "${name}" replaced. The new one is shown only now; "keys list" says until when the old one is good.`);
    say(key);
  });
}

/** An action on one key that is there; 1 when it is not. */
async function onKey(
  { words, config }: Invocation,
  action: string,
  work: (book: KeyBook, name: string) => Promise<void>,
): Promise<number> {
  const [, name] = words;
  if (name === undefined) throw new UsageError(`keys ${action}: expected the NAME of a key`);
  return withStore(
    config,
    async (store) => {
      try {
        await work(bookOf(store), name);
        return 0;
      } catch (error) {
        if (!(error instanceof AbsentError)) throw error;
        complain(`keys ${action}: no valid key is named "${name}"; see: bellwire keys list`);
        return 1;
      }
    },
    "must exist",
  );
}

class AbsentError extends Error {}

/** What was done, or why it was not, in the words of the command line. */
function done<T extends object>(outcome: T | { readonly problem: Problem }, flag = "keys"): T {
  if (!("problem" in outcome)) return outcome;
  const { code, detail, errors } = (outcome as { problem: Problem }).problem;
  if (code === "key.absent") throw new AbsentError();
  const [wrong] = errors ?? [];
  throw wrong === undefined ? new UsageError(`${flag}: ${detail}`) : usage(wrong);
}

async function list(store: Store): Promise<number> {
  const keys = await bookOf(store).list();
  const { zone } = (await store.state()).rendering;
  if (keys.length === 0) complain("no keys; make one with: bellwire keys create --name NAME");
  const rows = keys.map(({ name, state, created, expires, scopes, licenses, revoked }) => [
    name,
    state === "retiring" ? `retiring until ${revoked}` : state,
    localDay(zone, Date.parse(created) / 1000),
    ...[expires, scopes, licenses].map(cell),
  ]);
  if (rows.length > 0) say(table(["NAME", "STATE", "CREATED", "EXPIRES", "SCOPES", "LICENSES"], rows));
  return 0;
}

const show = (entry: Entry): void => {
  const rows = Object.entries(entry).map(([name, value]) => [name, cell(value)]);
  say(table(["TERM", "VALUE"], rows));
};

const cell = (value: unknown): string => (Array.isArray(value) ? value.join(",") : String(value)) || "-";
