// What a tag says of the data behind an answer: the database, and the versions that the answer depends on.
import type { State } from "./store.ts";

export const stamps =
  (database: string, versionOf: (name: string) => number): State["stamp"] =>
  ({ name, versions = [name] }) =>
    `${database}.${versions.map((each) => versionOf(each).toString(36)).join("-")}`;
