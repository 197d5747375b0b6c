// The book of keys: makes, changes, replaces and revokes them. What the command and the API do alike.

import { plainTerms, type Terms } from "../core/access/terms.ts";
import { notUnderstood, type Problem, problem } from "../core/problem.ts";
import { localDay } from "../core/value/time-zone.ts";
import type { KeyRow, Store } from "../store/store.ts";
import { hashKey, makeKey } from "./key.ts";
import { clashes, isPlain, mistake, type Offer, printTerms, readTerms } from "./terms.ts";

export type KeyState = "valid" | "expired" | "revoked" | "retiring";

/** A key as it is told of: its terms by their names on the wire, and never the key or its hash. */
export type Entry = {
  readonly name: string;
  readonly state: KeyState;
  /** ISO 8601. */
  readonly created: string;
  /** From when on it is no longer good, which is still to come while it is retiring; empty when nothing ends it. */
  readonly revoked: string;
  /** When it was used last, by whichever key of the name; empty when it never was. */
  readonly last_used: string;
  readonly [term: string]: unknown;
};

type Failed = { readonly problem: Problem };
/** A key that was just made: the only moment at which it is known. */
export type Made = { readonly entry: Entry; readonly key: string };

export type KeyStore = {
  /** All of them in the order in which they were made, revoked ones too. */
  list(): Promise<readonly Entry[]>;
  /** The one of that name that no other has replaced; the last one when all are revoked. */
  find(name: string): Promise<Entry | Failed>;
  create(given: Given): Promise<Made | Failed>;
  update(name: string, given: Given): Promise<Entry | Failed>;
  /** Makes a key that takes the place of another, which stays good for `grace_hours`. */
  rotate(name: string, given: Given): Promise<Made | Failed>;
  revoke(name: string): Promise<Entry | Failed>;
};

export type Given = Readonly<Record<string, unknown>>;

const hour = 3600;
const defaultGrace = 24;
const mostGrace = 8760;

export function keyStore(store: Store, offer: Offer, now: () => number): KeyStore {
  const seconds = () => Math.floor(now());
  const today = async () => localDay((await store.state()).rendering.zone, seconds());

  const list = async (): Promise<Entry[]> => {
    const [keys, day, used] = [await store.listKeys(), await today(), await store.lastUsed()];
    return keys.map((key) => entryOf(key, used.get(key.name), day));
  };

  const entryOf = (key: KeyRow, lastUsed: number | undefined, day: string): Entry => ({
    name: key.name,
    state: keyState(key, seconds(), day),
    ...printTerms(key, offer),
    created: moment(key.created),
    revoked: moment(key.retires ?? key.revoked),
    last_used: moment(lastUsed),
  });

  const find = async (name: string): Promise<Entry | Failed> =>
    (await list()).findLast((entry) => entry.name === name) ?? absent(name);

  /** All that is wrong with terms that are to hold from now on. */
  const understood = async (given: Given, before: Terms) => {
    const { terms, mistakes } = readTerms(given, offer);
    const day = await today();
    const { expires } = terms;
    const late =
      expires !== undefined && expires !== "" && expires < day
        ? [mistake("expires", expires, "today or a later day")]
        : [];
    return { terms, mistakes: [...mistakes, ...late, ...clashes({ ...before, ...terms })] };
  };

  const isTaken = async (name: string) =>
    (await store.listKeys()).some((key) => key.name === name && key.revoked === undefined);

  /** The key that terms are changed of: one that is revoked is none. */
  const current = async (name: string) =>
    (await store.listKeys()).findLast((key) => key.name === name && key.revoked === undefined);

  const create = async ({ name: givenName, ...given }: Given): Promise<Made | Failed> => {
    const { terms, mistakes } = await understood(given, plainTerms);
    const name = readName(givenName);
    if (name === undefined) return refused([mistake("name", givenName, nameExpected), ...mistakes]);
    if (mistakes.length > 0) return refused(mistakes);
    if (await isTaken(name)) return taken(name);
    const key = makeKey();
    try {
      await store.addKey({ ...terms, name, hash: hashKey(key), created: seconds() });
    } catch (error) {
      // Another may have been faster.
      if (await isTaken(name)) return taken(name);
      throw error;
    }
    return made(name, key);
  };

  const update = async (name: string, given: Given): Promise<Entry | Failed> => {
    const before = await current(name);
    if (before === undefined) return absent(name);
    const { terms, mistakes } = await understood(given, before);
    if (mistakes.length > 0) return refused(mistakes);
    return (await store.updateKey(name, terms, seconds())) ? find(name) : absent(name);
  };

  const rotate = async (name: string, given: Given): Promise<Made | Failed> => {
    const { grace_hours: grace = defaultGrace, ...rest } = given;
    const mistakes = Object.entries(rest).map(([each, value]) => mistake(each, value, "grace_hours alone"));
    if (typeof grace !== "number" || !Number.isInteger(grace) || grace < 0 || grace > mostGrace)
      mistakes.unshift(mistake("grace_hours", grace, `a whole number from 0 to ${mostGrace}`));
    if (mistakes.length > 0) return refused(mistakes);
    const before = await current(name);
    if (before === undefined) return absent(name);
    if (keyState(before, seconds(), await today()) === "expired") return expired(before);
    const key = makeKey();
    const created = seconds();
    const retires = grace === 0 ? undefined : created + (grace as number) * hour;
    const successor = { hash: hashKey(key), created, retires };
    return (await store.rotateKey(name, successor)) ? made(name, key) : absent(name);
  };

  const made = async (name: string, key: string): Promise<Made | Failed> => {
    const entry = await find(name);
    return "problem" in entry ? (entry as Failed) : { entry, key };
  };

  const revoke = async (name: string): Promise<Entry | Failed> =>
    (await store.revokeKey(name, seconds())) ? find(name) : absent(name);

  return { list, find, create, update, rotate, revoke };
}

export function keyState({ revoked, retires = 0, expires }: KeyRow, now: number, today: string): KeyState {
  if (revoked !== undefined && retires <= now) return "revoked";
  if (expires !== "" && expires < today) return "expired";
  return revoked === undefined ? "valid" : "retiring";
}

const longestName = 200;

export const nameExpected = `a name of 1 to ${longestName} characters, without a key in it`;

export function readName(given: unknown): string | undefined {
  const name = typeof given === "string" ? given.trim() : "";
  return name.length >= 1 && name.length <= longestName && isPlain(name) ? name : undefined;
}

const moment = (seconds: number | undefined): string =>
  seconds === undefined ? "" : `${new Date(Math.floor(seconds) * 1000).toISOString().slice(0, 19)}Z`;

const refused = (errors: readonly ReturnType<typeof mistake>[]): Failed => ({
  problem: notUnderstood("request.members", errors),
});

const absent = (name: string): Failed => ({
  problem: problem("key.absent", `No key that can be used is named ${quoted(name)}.`),
});
const taken = (name: string): Failed => ({
  problem: problem("key.conflict", `A key named ${quoted(name)} exists; revoke it first, or choose another name.`),
});
const expired = ({ name, expires }: KeyRow): Failed => ({
  problem: problem("key.conflict", `The key ${quoted(name)} expired with ${expires}; give it another last day first.`),
});

const quoted = (name: string): string => mistake("", JSON.stringify(name), "").given;
