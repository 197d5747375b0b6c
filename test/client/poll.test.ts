// `bellwire/client` polls a server without streams: what it remembers of many records.
import assert from "node:assert/strict";
import { test } from "node:test";
import type { AnyList } from "../../client/list.ts";
import { poll } from "../../client/poll.ts";

test("polling continues after more changes at once than a function can have arguments", async () => {
  const updated = Math.floor(Date.now() / 1000);
  const imported = Array.from({ length: 150_000 }, (_, id) => ({ id, updated }));
  const pages = [imported, [{ id: "new", updated: updated + 60 }]];
  const requests: unknown[] = [];
  const list = {
    list: (parameters: unknown) => {
      requests.push(parameters);
      return pages.shift() ?? [];
    },
  } as unknown as AnyList;
  const spec = { resource: "ratings", since: "parameters[updated]", column: "updated" };
  const changes = poll(list, undefined, spec, {}, { pollMs: 0 });
  assert.equal((await changes.next()).value?.id, "new");
  await changes.return();
  assert.deepEqual(requests[1], { "parameters[updated]": updated - 5 });
});
