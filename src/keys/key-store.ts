// Key store: creates, updates, rotates, and revokes API keys, for both the command and the API.

import { defaultTerms, type Terms } from "../core/access/terms.ts";
import { invalidParameters, type Problem, problem } from "../core/problem.ts";
import { dayBounds, localDay, type Zone } from "../core/value/time-zone.ts";
import type { KeyRow, Store } from "../store/store.ts";
import { generateKey, hashKey } from "./key.ts";
import { type AvailableTerms, formatTerms, isPrintable, parameterError, parseTerms, termConflicts } from "./terms.ts";

type KeyState = "valid" | "expired" | "revoked" | "retiring";

/** A key as shown: its terms by wire name, and never the key or its hash. */
export type KeyEntry = {
  readonly name: string;
  readonly state: KeyState;
  /** ISO 8601. */
  readonly created: string;
  /** When it becomes invalid, in the future while it is retiring; empty when it is not revoked. */
  readonly revoked: string;
  /** Last use of any key with this name; empty when never used. */
  readonly last_used: string;
  readonly [term: string]: unknown;
};

type KeyFailure = { readonly problem: Problem };
/** A newly created key: the only time it is known. */
export type CreatedKey = { readonly entry: KeyEntry; readonly key: string };

export type KeyStore = {
  /** All keys in order of creation, including revoked ones. */
  list(): Promise<readonly KeyEntry[]>;
  /** The current key of that name, or the last one if all are revoked. */
  find(name: string): Promise<KeyEntry | KeyFailure>;
  create(input: KeyInput): Promise<CreatedKey | KeyFailure>;
  update(name: string, input: KeyInput): Promise<KeyEntry | KeyFailure>;
  /** Creates a key that replaces another, which stays valid for `grace_hours`. */
  rotate(name: string, input: KeyInput): Promise<CreatedKey | KeyFailure>;
  revoke(name: string): Promise<KeyEntry | KeyFailure>;
};

type KeyInput = Readonly<Record<string, unknown>>;

const hour = 3600;
const defaultGraceHours = 24;
const maxGraceHours = 8760;

export function keyStore(store: Store, offer: AvailableTerms, now: () => number): KeyStore {
  const seconds = () => Math.floor(now());
  const today = async () => localDay((await store.state()).rendering.zone, seconds());

  const list = async (): Promise<KeyEntry[]> => {
    const [keys, day, used] = [await store.listKeys(), await today(), await store.lastUsed()];
    return keys.map((key) => entryOf(key, used.get(key.name), day));
  };

  const entryOf = (key: KeyRow, lastUsed: number | undefined, day: string): KeyEntry => ({
    name: key.name,
    state: keyState(key, seconds(), day),
    ...formatTerms(key, offer),
    created: moment(key.created),
    revoked: moment(key.retires ?? key.revoked),
    last_used: moment(lastUsed),
  });

  const find = async (name: string): Promise<KeyEntry | KeyFailure> =>
    (await list()).findLast((entry) => entry.name === name) ?? absent(name);

  /** Parses changed terms with all their errors. */
  const validate = async (input: KeyInput, before: Terms) => {
    const { terms, errors } = parseTerms(input, offer);
    const day = await today();
    const { expires } = terms;
    const late =
      expires !== undefined && expires !== "" && expires < day
        ? [parameterError("expires", expires, "today or a later day")]
        : [];
    return { terms, errors: [...errors, ...late, ...termConflicts({ ...before, ...terms })] };
  };

  const isTaken = async (name: string) =>
    (await store.listKeys()).some((key) => key.name === name && key.revoked === undefined);

  /** The key of that name that is not revoked. */
  const current = async (name: string) =>
    (await store.listKeys()).findLast((key) => key.name === name && key.revoked === undefined);

  const create = async ({ name: rawName, ...input }: KeyInput): Promise<CreatedKey | KeyFailure> => {
    const { terms, errors } = await validate(input, defaultTerms);
    const name = parseKeyName(rawName);
    if (name === undefined) return invalid([parameterError("name", rawName, keyNameExpected), ...errors]);
    if (errors.length > 0) return invalid(errors);
    if (await isTaken(name)) return taken(name);
    const key = generateKey();
    try {
      await store.addKey({ ...terms, name, hash: hashKey(key), created: seconds() });
    } catch (error) {
      // Another process may have been faster.
      if (await isTaken(name)) return taken(name);
      throw error;
    }
    return made(name, key);
  };

  const update = async (name: string, input: KeyInput): Promise<KeyEntry | KeyFailure> => {
    const before = await current(name);
    if (before === undefined) return absent(name);
    const { terms, errors } = await validate(input, before);
    if (errors.length > 0) return invalid(errors);
    return (await store.updateKey(name, terms, seconds())) ? find(name) : absent(name);
  };

  const rotate = async (name: string, input: KeyInput): Promise<CreatedKey | KeyFailure> => {
    const { grace_hours: grace = defaultGraceHours, ...rest } = input;
    const errors = Object.entries(rest).map(([each, value]) => parameterError(each, value, "only grace_hours"));
    if (typeof grace !== "number" || !Number.isInteger(grace) || grace < 0 || grace > maxGraceHours)
      errors.unshift(parameterError("grace_hours", grace, `a whole number from 0 to ${maxGraceHours}`));
    if (errors.length > 0) return invalid(errors);
    const before = await current(name);
    if (before === undefined) return absent(name);
    if (keyState(before, seconds(), await today()) === "expired") return expired(before);
    const key = generateKey();
    const created = seconds();
    const retires = grace === 0 ? undefined : created + (grace as number) * hour;
    const successor = { hash: hashKey(key), created, retires };
    return (await store.rotateKey(name, successor)) ? made(name, key) : absent(name);
  };

  const made = async (name: string, key: string): Promise<CreatedKey | KeyFailure> => {
    const entry = await find(name);
    return "problem" in entry ? (entry as KeyFailure) : { entry, key };
  };

  const revoke = async (name: string): Promise<KeyEntry | KeyFailure> =>
    (await store.revokeKey(name, seconds())) ? find(name) : absent(name);

  return { list, find, create, update, rotate, revoke };
}

export function keyState({ revoked, retires = 0, expires }: KeyRow, now: number, today: string): KeyState {
  if (revoked !== undefined && retires <= now) return "revoked";
  if (expires !== "" && expires < today) return "expired";
  return revoked === undefined ? "valid" : "retiring";
}

/** First second at which a key is no longer valid: it expires at the end of its last day, in the server's time zone. */
export function validUntil({ revoked, retires, expires }: KeyRow, zone: Zone): number {
  if (revoked !== undefined && retires === undefined) return 0;
  const expiry = expires === "" ? Number.POSITIVE_INFINITY : dayBounds(zone, expires).before;
  return Math.min(retires ?? Number.POSITIVE_INFINITY, expiry);
}

const maxNameLength = 200;

export const keyNameExpected = `a name of 1 to ${maxNameLength} characters that doesn't contain a key`;

export function parseKeyName(input: unknown): string | undefined {
  const name = typeof input === "string" ? input.trim() : "";
  return name.length >= 1 && name.length <= maxNameLength && isPrintable(name) ? name : undefined;
}

const moment = (seconds: number | undefined): string =>
  seconds === undefined ? "" : `${new Date(Math.floor(seconds) * 1000).toISOString().slice(0, 19)}Z`;

const invalid = (errors: readonly ReturnType<typeof parameterError>[]): KeyFailure => ({
  problem: invalidParameters("request.members", errors),
});

const absent = (name: string): KeyFailure => ({
  problem: problem("key.absent", `No key that can be used is named ${quoted(name)}.`),
});
const taken = (name: string): KeyFailure => ({
  problem: problem("key.conflict", `A key named ${quoted(name)} exists; revoke it first, or choose another name.`),
});
const expired = ({ name, expires }: KeyRow): KeyFailure => ({
  problem: problem("key.conflict", `The key ${quoted(name)} expired on ${expires}; set a later expiry first.`),
});

const quoted = (name: string): string => parameterError("", JSON.stringify(name), "").given;
