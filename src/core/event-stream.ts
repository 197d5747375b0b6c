// Parses server-sent events (HTML Standard, section 9.2.6).

/** A block of an event stream. One without data is no event, but may carry a position. */
export type EventBlock = {
  readonly id: string | undefined;
  readonly event: string | undefined;
  readonly data: string | undefined;
  readonly comment: string | undefined;
  /** Milliseconds to wait before reconnecting. */
  readonly retry: number | undefined;
};

/** Characters of an unfinished block: more than any record has. */
const maxPending = 64 * 1024 * 1024;

/** Yields complete blocks only: the rest of a stream that was cut is not an event. */
export async function* eventBlocks(chunks: AsyncIterable<string>): AsyncGenerator<EventBlock> {
  let pending = "";
  for await (const chunk of chunks) {
    // A carriage return at the end may be the first half of a line break.
    const text = `${pending}${chunk}`;
    const end = text.endsWith("\r") ? text.length - 1 : text.length;
    const blocks = text.slice(0, end).replace(/\r\n?/g, "\n").split("\n\n");
    pending = `${blocks.pop() ?? ""}${text.slice(end)}`;
    if (pending.length > maxPending) throw new Error(`an event has more than ${maxPending} characters`);
    for (const block of blocks) yield parseBlock(block);
  }
}

function parseBlock(block: string): EventBlock {
  const fields: Record<string, string> = {};
  for (const line of block.split("\n")) {
    const [, name = "", value = ""] = /^([^:]*)(?:: ?(.*))?$/s.exec(line) ?? [];
    if (line === "") continue;
    if (name === "data" && fields.data !== undefined) fields.data += `\n${value}`;
    else fields[name === "" ? "comment" : name] = value;
  }
  const { id, event, data, comment, retry } = fields;
  return { id, event, data, comment, retry: /^\d{1,9}$/.test(retry ?? "") ? Number(retry) : undefined };
}
