// What a tag says of the data behind an answer: the database, and the versions that the answer depends on.
import type { State } from "./store.ts";

/** Each list's is put together once, when it is first asked for. */
export function stamps(database: string, versionOf: (name: string) => number): State["stamp"] {
  const known = new Map<object, string>();
  return (listing) => {
    let stamp = known.get(listing);
    if (stamp === undefined) {
      const { name, versions = [name] } = listing;
      stamp = `${database}.${versions.map((each) => versionOf(each).toString(36)).join("-")}`;
      known.set(listing, stamp);
    }
    return stamp;
  };
}
