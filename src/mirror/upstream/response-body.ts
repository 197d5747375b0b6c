// Reads a response body as text, up to a maximum size: an upstream may send anything.

/** A page of a hundred long news items is a few megabytes. */
const maxBytes = 128 * 1024 * 1024;

export async function readText(response: Response): Promise<{ text: string } | { problem: string }> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of response.body ?? []) {
    bytes += chunk.length;
    if (bytes > maxBytes) return { problem: `the response is larger than ${maxBytes} bytes` };
    chunks.push(chunk);
  }
  try {
    return { text: new TextDecoder("utf-8", { fatal: true }).decode(Buffer.concat(chunks)) };
  } catch {
    return { problem: "the response is not valid UTF-8" };
  }
}
