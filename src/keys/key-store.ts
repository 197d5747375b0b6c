// Key store: creates, updates, rotates, and revokes API keys, for both the command and the API.

import { defaultTerms, type Terms } from "../core/access/terms.ts";
import { problem } from "../core/problem.ts";
import { dayBounds, localDay, type Zone } from "../core/value/time-zone.ts";
import { isoTime } from "../core/value/timestamp.ts";
import type { KeyRow, Store } from "../store/store.ts";
import { generateKey, hashKey } from "./key.ts";
import { type Failure, graceSeconds, invalidMembers, type Members } from "./members.ts";
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

/** A newly created key: the only time it is known. */
export type CreatedKey = { readonly entry: KeyEntry; readonly key: string };

export class KeyStore {
  readonly #store: Store;
  readonly #offer: AvailableTerms;
  readonly #now: () => number;

  /** `now` is in Unix seconds. */
  constructor(store: Store, offer: AvailableTerms, now: () => number) {
    this.#store = store;
    this.#offer = offer;
    this.#now = now;
  }

  /** All keys in order of creation, including revoked ones. */
  async list(): Promise<readonly KeyEntry[]> {
    const [keys, day, used] = [await this.#store.listKeys(), await this.#today(), await this.#store.lastUsed()];
    return keys.map((key) => this.#entryOf(key, used.get(key.name), day));
  }

  /** The current key of that name, or the last one if all are revoked. */
  async find(name: string): Promise<KeyEntry | Failure> {
    return (await this.list()).findLast((entry) => entry.name === name) ?? absent(name);
  }

  async create({ name: rawName, ...input }: Members): Promise<CreatedKey | Failure> {
    const { terms, errors } = await this.#validate(input, defaultTerms);
    const name = parseKeyName(rawName);
    if (name === undefined) return invalidMembers([parameterError("name", rawName, keyNameExpected), ...errors]);
    if (errors.length > 0) return invalidMembers(errors);
    if ((await this.#current(name)) !== undefined) return taken(name);
    const key = generateKey();
    try {
      await this.#store.addKey({ ...terms, name, hash: hashKey(key), created: this.#seconds });
    } catch (error) {
      // Another process may have been faster.
      if ((await this.#current(name)) !== undefined) return taken(name);
      throw error;
    }
    return this.#created(name, key);
  }

  async update(name: string, input: Members): Promise<KeyEntry | Failure> {
    const before = await this.#current(name);
    if (before === undefined) return absent(name);
    const { terms, errors } = await this.#validate(input, before);
    if (errors.length > 0) return invalidMembers(errors);
    return (await this.#store.updateKey(name, terms, this.#seconds)) ? this.find(name) : absent(name);
  }

  /** Creates a key that replaces another, which stays valid for `grace_hours`. */
  async rotate(name: string, input: Members): Promise<CreatedKey | Failure> {
    const parsed = graceSeconds(input);
    if ("problem" in parsed) return parsed;
    const before = await this.#current(name);
    if (before === undefined) return absent(name);
    const created = this.#seconds;
    if (keyState(before, created, await this.#today()) === "expired") return expired(before);
    const key = generateKey();
    const retires = parsed.grace === 0 ? undefined : created + parsed.grace;
    const successor = { hash: hashKey(key), created, retires };
    return (await this.#store.rotateKey(name, successor)) ? this.#created(name, key) : absent(name);
  }

  async revoke(name: string): Promise<KeyEntry | Failure> {
    return (await this.#store.revokeKey(name, this.#seconds)) ? this.find(name) : absent(name);
  }

  get #seconds(): number {
    return Math.floor(this.#now());
  }

  async #today(): Promise<string> {
    return localDay((await this.#store.state()).rendering.zone, this.#seconds);
  }

  /** The key of that name that is not revoked. */
  async #current(name: string): Promise<KeyRow | undefined> {
    return (await this.#store.listKeys()).findLast((key) => key.name === name && key.revoked === undefined);
  }

  #entryOf(key: KeyRow, lastUsed: number | undefined, day: string): KeyEntry {
    return {
      name: key.name,
      state: keyState(key, this.#seconds, day),
      ...formatTerms(key, this.#offer),
      created: timeOf(key.created),
      revoked: timeOf(key.retires ?? key.revoked),
      last_used: timeOf(lastUsed),
    };
  }

  /** Parses changed terms with all their errors. */
  async #validate(input: Members, before: Terms) {
    const { terms, errors } = parseTerms(input, this.#offer);
    const day = await this.#today();
    const { expires } = terms;
    const late =
      expires !== undefined && expires !== "" && expires < day
        ? [parameterError("expires", expires, "today or a later day")]
        : [];
    return { terms, errors: [...errors, ...late, ...termConflicts({ ...before, ...terms })] };
  }

  async #created(name: string, key: string): Promise<CreatedKey | Failure> {
    const entry = await this.find(name);
    return "problem" in entry ? (entry as Failure) : { entry, key };
  }
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

/** ISO 8601; empty for none. */
export const timeOf = (seconds: number | undefined): string => (seconds === undefined ? "" : isoTime(seconds));

const absent = (name: string): Failure => ({
  problem: problem("key.absent", `No key that can be used is named ${quoted(name)}.`),
});
const taken = (name: string): Failure => ({
  problem: problem("key.conflict", `A key named ${quoted(name)} exists; revoke it first, or choose another name.`),
});
const expired = ({ name, expires }: KeyRow): Failure => ({
  problem: problem("key.conflict", `The key ${quoted(name)} expired on ${expires}; set a later expiry first.`),
});

const quoted = (name: string): string => parameterError("", JSON.stringify(name), "").given;
