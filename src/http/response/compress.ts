// Compresses response bodies.
import type { Transform } from "node:stream";
import { promisify } from "node:util";
import { brotliCompress, constants, createBrotliCompress, createGzip, gzip } from "node:zlib";
import type { Encoding } from "../request/negotiate.ts";

const gzipAsync = promisify(gzip);
const brotliAsync = promisify(brotliCompress);

/** Below this, compression isn't worth it. */
export const minCompressedBytes = 1024;

/** Bytes in compression at once; beyond that, bodies are sent uncompressed to save memory. */
const maxInFlightBytes = 32 * 1024 * 1024;

let inFlightBytes = 0;

/** Undefined if too much is being compressed already. */
export async function tryCompress(body: Buffer | string, encoding: Encoding): Promise<Buffer | undefined> {
  if (inFlightBytes > 0 && inFlightBytes + body.length > maxInFlightBytes) return undefined;
  inFlightBytes += body.length;
  try {
    return await compress(body, encoding);
  } finally {
    inFlightBytes -= body.length;
  }
}

// Most responses are compressed for a single request, so speed matters more than the last percent of size.
const gzipLevel = 5;
const brotliQuality = 4;

/** For bodies whose length is unknown. */
export const compressor = (encoding: Encoding): Transform =>
  encoding === "gzip"
    ? createGzip({ level: gzipLevel })
    : createBrotliCompress({ params: { [constants.BROTLI_PARAM_QUALITY]: brotliQuality } });

export function compress(body: Buffer | string, encoding: Encoding): Promise<Buffer> {
  if (encoding === "gzip") return gzipAsync(body, { level: gzipLevel });
  return brotliAsync(body, {
    params: {
      [constants.BROTLI_PARAM_QUALITY]: brotliQuality,
      [constants.BROTLI_PARAM_SIZE_HINT]: body.length,
    },
  });
}
