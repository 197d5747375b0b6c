// A reporter that writes a line for each test that ran on a store: the suite's name ends in the store's.
import { Transform } from "node:stream";

type Event = { type: string; data: { nesting: number; name: string; details?: { type?: string } } };

/** Names of the suites that are open, by depth; a test is counted under the store of its suite. */
const suites: (string | undefined)[] = [];

export default new Transform({
  writableObjectMode: true,
  transform(event: Event, _encoding, done) {
    const { type, data } = event;
    if (type === "test:start") suites[data.nesting] = data.name;
    const leaf = type === "test:pass" && data.details?.type !== "suite";
    const store = leaf
      ? suites
          .slice(0, data.nesting)
          .map((name) => /\[(sqlite|postgres)\]$/.exec(name ?? "")?.[1])
          .find(Boolean)
      : undefined;
    done(null, store === undefined ? "" : `#store ${store}\n`);
  },
});
