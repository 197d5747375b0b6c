// Ends responses with large texts: encoded into buffers that are used again and again. Left to Node.js, each text is
// copied twice into memory that is new every time, which costs more than finding its records.
import type { ServerResponse } from "node:http";

/** Smaller texts go out with the headers in one write, which Node.js does best. */
const smallest = 16_384;

/** Buffers are made in a few sizes, so that one fits many answers; a text that is longer than the largest has no use of them. */
const sizes = [65_536, 262_144, 1_048_576] as const;

/** Bytes of each size that wait for their next use; more than that, and buffers are let go. */
const mostIdle = 4 * 1_048_576;

const idle = new Map<number, Buffer[]>(sizes.map((size) => [size, []]));

/** `bytes` is the length of the text in UTF-8. */
export function endWith(response: ServerResponse, text: string, bytes: number): void {
  const written = bytes === text.length ? "latin1" : "utf8";
  const size = bytes < smallest ? undefined : sizes.find((each) => bytes <= each);
  if (size === undefined) {
    response.end(text, written);
    return;
  }
  const buffers = idle.get(size) as Buffer[];
  const buffer = buffers.pop() ?? Buffer.allocUnsafeSlow(size);
  buffer.write(text, 0, bytes, written);
  response.end(buffer.subarray(0, bytes));
  const giveBack = () => {
    if (buffers.length * size < mostIdle) buffers.push(buffer);
  };
  // What the system has not taken yet is read from the buffer later on.
  if (response.socket?.writableLength === 0) giveBack();
  else response.once("close", giveBack);
}
