// A small body that is one JSON object, read as a whole.
import type { IncomingMessage } from "node:http";
import { type Problem, problem } from "../../core/problem.ts";
import { InterruptedInputError } from "../../ingest/formats/records.ts";
import { arriving, limited, SilentError, TooLargeError, tooLarge } from "./body.ts";

const mostBytes = 65_536;
const idleMs = 20_000;

type Read = { readonly members: Readonly<Record<string, unknown>> } | { readonly problem: Problem };

/** No body at all is an object without members. */
export async function jsonBody(raw: IncomingMessage): Promise<Read> {
  const pieces: Uint8Array[] = [];
  try {
    for await (const piece of limited(arriving(raw, idleMs), mostBytes)) pieces.push(piece);
  } catch (error) {
    if (error instanceof SilentError) return { problem: problem("request.timeout") };
    if (error instanceof TooLargeError) return refused(tooLarge(mostBytes));
    if (error instanceof InterruptedInputError) return refused(error.message);
    throw error;
  }
  const bytes = Buffer.concat(pieces);
  if (bytes.length === 0) return { members: {} };
  try {
    const value: unknown = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
    if (typeof value === "object" && value !== null && !Array.isArray(value))
      return { members: value as Record<string, unknown> };
  } catch {
    // What the parser says would repeat a piece of the body, in which a key may stand.
  }
  return refused("the body is no JSON object");
}

const refused = (why: string): Read => ({
  problem: problem("request.members", `${why.charAt(0).toUpperCase()}${why.slice(1)}.`),
});
