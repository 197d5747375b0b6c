// Decompresses gzip and Zstandard lazily. Everything that could be decompressed is yielded before an error is thrown; a
// plain pipe would drop its buffer when the data is truncated.
import { createGunzip, createZstdDecompress } from "node:zlib";

export type Compression = "gzip" | "zstd";

const chunkSize = 256 * 1024;

/** The compression of data by its first bytes; UTF-8 text never begins like this. */
export function compressionOf(head: Uint8Array): Compression | undefined {
  if (head[0] === 0x1f && head[1] === 0x8b) return "gzip";
  return head[0] === 0x28 && head[1] === 0xb5 && head[2] === 0x2f && head[3] === 0xfd ? "zstd" : undefined;
}

/** How compressed data is damaged; undefined if an error has another cause. */
export function damageOf(error: unknown): "truncated" | "damaged" | undefined {
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  if (code === "Z_BUF_ERROR") return "truncated";
  return code.startsWith("Z_") || code.startsWith("ZSTD_") ? "damaged" : undefined;
}

export async function* decompress(bytes: AsyncIterable<Uint8Array>, compression: Compression): AsyncGenerator<Buffer> {
  const unpack = compression === "gzip" ? createGunzip({ chunkSize }) : createZstdDecompress({ chunkSize });
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
    // Trailing bytes, such as padding, end the compressed data before the input.
    if (!unpack.readableEnded) yield* drained((done) => unpack.once("end", done).end());
  } finally {
    unpack.destroy();
  }
}
