// Compression of bodies, when the client asks for it and it pays.
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import type { Encoding } from "./negotiate.ts";

const gzipAsync = promisify(gzip);
const brotliAsync = promisify(brotliCompress);

/** Below this, headers outweigh what is saved. */
export const smallestEncoded = 1024;

// Answers are made anew for each request, so speed counts for more than the last percent of size.
export function encode(body: Buffer | string, encoding: Encoding): Promise<Buffer> {
  if (encoding === "gzip") return gzipAsync(body, { level: 5 });
  return brotliAsync(body, {
    params: {
      [constants.BROTLI_PARAM_QUALITY]: 4,
      [constants.BROTLI_PARAM_SIZE_HINT]: body.length,
    },
  });
}
