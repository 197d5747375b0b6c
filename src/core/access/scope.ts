// Scopes of keys. A request requires one scope; a key has one or more.

export const scopes = {
  read: "lists of records and related lists",
  write: "adding, replacing, and removing records",
  replicate: "the change feed, including attributes that lists never show",
  admin: "administration of the server",
} as const satisfies Record<string, string>;

export type Scope = keyof typeof scopes;

export const scopeNames = Object.keys(scopes) as readonly Scope[];

export const defaultScopes: readonly Scope[] = ["read"];
