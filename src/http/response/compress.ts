// Compression of bodies, when the client asks for it and it pays.
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import type { Encoding } from "../request/negotiate.ts";

const gzipAsync = promisify(gzip);
const brotliAsync = promisify(brotliCompress);

/** Below this, headers outweigh what is saved. */
export const smallestEncoded = 1024;

/** What may be under compression at once; beyond it bodies are sent as they are, and no memory is taken for them. */
const mostAtOnce = 32 * 1024 * 1024;

let underWay = 0;

/** Undefined when there is too much to compress at the moment. */
export async function compressIfRoom(body: Buffer | string, encoding: Encoding): Promise<Buffer | undefined> {
  if (underWay > 0 && underWay + body.length > mostAtOnce) return undefined;
  underWay += body.length;
  try {
    return await compress(body, encoding);
  } finally {
    underWay -= body.length;
  }
}

// Answers are made anew for each request, so speed counts for more than the last percent of size.
export function compress(body: Buffer | string, encoding: Encoding): Promise<Buffer> {
  if (encoding === "gzip") return gzipAsync(body, { level: 5 });
  return brotliAsync(body, {
    params: {
      [constants.BROTLI_PARAM_QUALITY]: 4,
      [constants.BROTLI_PARAM_SIZE_HINT]: body.length,
    },
  });
}
