// Scopes of keys. A request requires one scope; a key has one or more.

export const scopes = {
  read: "lists of records and related lists",
  write: "adding, replacing, and removing records",
  replicate: "the change feed, including attributes that lists never show",
  bulk: "files of all records of a resource",
  links: "creating links to lists that the key may read",
  admin: "administration of the server",
} as const satisfies Record<string, string>;

export type Scope = keyof typeof scopes;

export const scopeNames = Object.keys(scopes) as readonly Scope[];

export const defaultScopes: readonly Scope[] = ["read"];

/** An administrator may do for any key what its holder may do for it. */
const implied: Readonly<Partial<Record<Scope, Scope>>> = { links: "admin" };

export function hasScope(held: readonly string[], needed: Scope): boolean {
  const wider = implied[needed];
  return held.includes(needed) || (wider !== undefined && held.includes(wider));
}

/** Scopes for all records, which no key has together with a history limit or a delay. */
export const unrestrictedScopes: readonly Scope[] = ["replicate", "bulk"];
