// Server-sent events, in pieces as they arrive.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { type EventBlock, eventBlocks } from "../../src/core/event-stream.ts";

async function blocksOf(chunks: readonly string[]): Promise<EventBlock[]> {
  async function* arriving() {
    yield* chunks;
  }
  return Array.fromAsync(eventBlocks(arriving()));
}

describe("an event stream", () => {
  const text = `retry: 3000\nid: a.1\n\n: heartbeat\nid: a.2\n\nevent: created\nid: a.3\ndata: {"title":"A: b"}\ndata:c\n\n`;

  test("is the same blocks however its bytes and line breaks arrive", async () => {
    const expected = await blocksOf([text]);
    assert.deepEqual(
      expected.map(({ id, event, data, comment, retry }) => [id, event, data, comment, retry]),
      [
        ["a.1", undefined, undefined, undefined, 3000],
        ["a.2", undefined, undefined, "heartbeat", undefined],
        ["a.3", "created", '{"title":"A: b"}\nc', undefined, undefined],
      ],
    );
    for (const lineBreak of ["\n", "\r\n", "\r"]) {
      const sent = `${text.replaceAll("\n", lineBreak)}: end${lineBreak}`;
      for (const size of [1, 2, 7, 1000]) {
        const chunks = Array.from({ length: Math.ceil(sent.length / size) }, (_, at) =>
          sent.slice(at * size, at * size + size),
        );
        assert.deepEqual(await blocksOf(chunks), expected, `${JSON.stringify(lineBreak)} in pieces of ${size}`);
      }
    }
  });

  test("may contain line separators that are none of the format, which JSON doesn't escape", async () => {
    const data = JSON.stringify({ title: "a\u2028b\u2029c" });
    assert.deepEqual(
      (await blocksOf([`data: ${data}\n\n`])).map((block) => block.data),
      [data],
    );
  });

  test("has no event of an unfinished block", async () => {
    assert.deepEqual(await blocksOf(["data: 1\n\nda", "ta: 2\n"]), await blocksOf(["data: 1\n\n"]));
  });
});
