// Reads server-sent events from a response, with `fetch`: EventSource can't send the key in a header, and gives up on 503.

export type ServerEvent = {
  /** Position to continue from. */
  readonly id: string | undefined;
  /** Undefined for a heartbeat. */
  readonly data: string | undefined;
};

/** Splits text into events, which may arrive in any pieces. */
export function eventReader(onEvent: (event: ServerEvent) => void): (text: string) => void {
  let parts: string[] = [];
  return (text) => {
    parts.push(text);
    // A long event arrives in many pieces, which are joined once.
    if (!text.includes("\n")) return;
    const blocks = parts.join("").split("\n\n");
    parts = [blocks.pop() ?? ""];
    for (const block of blocks) {
      const fields = new Map(
        block.split("\n").map((line): [string, string] => {
          const cut = line.indexOf(": ");
          return [line.slice(0, cut), line.slice(cut + 2)];
        }),
      );
      onEvent({ id: fields.get("id"), data: fields.get("data") });
    }
  };
}

/** Returns when the stream ends, and rejects when it is cut. `onData` is called for everything that arrives. */
export async function readEvents(
  body: ReadableStream<Uint8Array>,
  onEvent: (event: ServerEvent) => void,
  onData: () => void,
): Promise<void> {
  const read = eventReader(onEvent);
  const reader = body.pipeThrough(new TextDecoderStream() as ReadableWritablePair<string, Uint8Array>).getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    onData();
    read(value);
  }
}
