// The body of an answer as text, of bounded size: an upstream may send anything.

/** A page of a hundred long news items has a few megabytes. */
const mostBytes = 128 * 1024 * 1024;

export async function readBody(response: Response): Promise<{ text: string } | { problem: string }> {
  const pieces: Uint8Array[] = [];
  let bytes = 0;
  for await (const piece of response.body ?? []) {
    bytes += piece.length;
    if (bytes > mostBytes) return { problem: `the answer is larger than ${mostBytes} bytes` };
    pieces.push(piece);
  }
  try {
    return { text: new TextDecoder("utf-8", { fatal: true }).decode(Buffer.concat(pieces)) };
  } catch {
    return { problem: "the answer is not UTF-8" };
  }
}
