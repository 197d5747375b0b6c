// How the page reads a stream of events.
import assert from "node:assert/strict";
import { test } from "node:test";
import { eventReader, type ServerEvent } from "../../../web/api/live/server-events.ts";

test("the page reads the same events whatever pieces they arrive in", () => {
  const text = 'id: a.1\ndata: {"id":1}\n\n: heartbeat\nid: a.2\n\nid: a.3\ndata: {"id":3}\n\nid: a.4\ndata: cut off';
  for (let size = 1; size <= text.length; size++) {
    const events: ServerEvent[] = [];
    const read = eventReader((event) => events.push(event));
    for (let at = 0; at < text.length; at += size) read(text.slice(at, at + size));
    assert.deepEqual(events, [
      { id: "a.1", data: '{"id":1}' },
      { id: "a.2", data: undefined },
      { id: "a.3", data: '{"id":3}' },
    ]);
  }
});
