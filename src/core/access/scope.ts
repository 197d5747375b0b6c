// What a key may do. A request needs one scope; a key holds one or more.

export const scopes = {
  read: "the lists of records and what stands beside them",
  write: "adding, replacing and removing records",
  replicate: "the change feed, with attributes that are never shown",
  admin: "the administration of the server",
} as const satisfies Record<string, string>;

export type Scope = keyof typeof scopes;

export const scopeNames = Object.keys(scopes) as readonly Scope[];

/** What a key may do when nothing else is said. */
export const defaultScopes: readonly Scope[] = ["read"];
