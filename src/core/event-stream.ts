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
  /** Of the unfinished block: joined once, since a long one arrives in many chunks. */
  let parts: string[] = [];
  let length = 0;
  /** The line break at its end, or half of one, which decides with the next chunk whether the block ends there. */
  let carry = "";
  for await (const chunk of chunks) {
    const received = `${carry}${chunk}`;
    const half = received.endsWith("\r") ? "\r" : "";
    const blocks = received
      .slice(0, received.length - half.length)
      .replace(/\r\n?/g, "\n")
      .split("\n\n");
    const last = blocks.pop() ?? "";
    for (const block of blocks) {
      yield parseBlock(`${parts.join("")}${block}`);
      parts = [];
      length = 0;
    }
    const lineBreak = last.endsWith("\n") ? "\n" : "";
    carry = lineBreak + half;
    const part = last.slice(0, last.length - lineBreak.length);
    if (part !== "") parts.push(part);
    length += part.length;
    if (length > maxPending) throw new Error(`an event has more than ${maxPending} characters`);
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
