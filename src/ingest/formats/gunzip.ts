// Gzip data unpacked as it is asked for. Everything that could be unpacked is given before an error is thrown, which a
// plain pipe does not promise: it drops what it has buffered when the data turns out to be cut short.
import { createGunzip } from "node:zlib";

const chunkSize = 256 * 1024;

/** Gzip data begins with these two bytes, and no text in UTF-8 does. */
export function isGzip(head: Uint8Array): boolean {
  return head[0] === 0x1f && head[1] === 0x8b;
}

/** Whether an error says that the packed data itself is damaged or cut short. */
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

  // Reads until the step that was begun says it is done: then all it could give has been given.
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
      for (let piece = unpack.read(); piece !== null; piece = unpack.read()) yield piece;
      if (failure !== undefined) throw failure;
      if (done) return;
      await changed;
    }
  }

  try {
    for await (const piece of bytes) yield* drained((done) => unpack.write(piece, done));
    // Bytes after the packed data, such as padding, end it before the input does.
    if (!unpack.readableEnded) yield* drained((done) => unpack.once("end", done).end());
  } finally {
    unpack.destroy();
  }
}
