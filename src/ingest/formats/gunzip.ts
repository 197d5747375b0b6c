// Decompresses gzip lazily. Everything that could be decompressed is yielded before an error is thrown; a plain pipe would
// drop its buffer when the data is truncated.
import { createGunzip } from "node:zlib";

const chunkSize = 256 * 1024;

/** Gzip data begins with these two bytes; UTF-8 text never does. */
export function isGzip(head: Uint8Array): boolean {
  return head[0] === 0x1f && head[1] === 0x8b;
}

/** Whether an error means that the gzip data is damaged or truncated. */
export function isGzipError(error: unknown): boolean {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  return typeof code === "string" && code.startsWith("Z_");
}

export async function* gunzip(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer> {
  const unpack = createGunzip({ chunkSize });
  let failure: Error | undefined;
  let wake = () => {};
  unpack.on("readable", () => wake());
  unpack.on("error", (error) => {
    failure = error;
    wake();
  });

  // Reads until the step is done and its output is exhausted.
  async function* drained(begin: (done: () => void) => void): AsyncGenerator<Buffer> {
    let done = false;
    begin(() => {
      done = true;
      wake();
    });
    for (;;) {
      const changed = new Promise<void>((resolve) => {
        wake = resolve;
      });
      for (let chunk = unpack.read(); chunk !== null; chunk = unpack.read()) yield chunk;
      if (failure !== undefined) throw failure;
      if (done) return;
      await changed;
    }
  }

  try {
    for await (const chunk of bytes) yield* drained((done) => unpack.write(chunk, done));
    // Trailing bytes, such as padding, end the gzip data before the input.
    if (!unpack.readableEnded) yield* drained((done) => unpack.once("end", done).end());
  } finally {
    unpack.destroy();
  }
}
