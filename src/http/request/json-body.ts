// Reads a small body that is a single JSON object.
import type { IncomingMessage } from "node:http";
import { type Problem, problem } from "../../core/problem.ts";
import { InterruptedInputError } from "../../ingest/formats/records.ts";
import { IdleTimeoutError, incomingChunks, limitBytes, TooLargeError, tooLargeMessage } from "./body.ts";

const maxBytes = 65_536;
const idleMs = 20_000;

type Result = { readonly members: Readonly<Record<string, unknown>> } | { readonly problem: Problem };

/** No body at all is an object without members. */
export async function jsonBody(raw: IncomingMessage): Promise<Result> {
  const chunks: Uint8Array[] = [];
  try {
    for await (const chunk of limitBytes(incomingChunks(raw, idleMs), maxBytes)) chunks.push(chunk);
  } catch (error) {
    if (error instanceof IdleTimeoutError) return { problem: problem("request.timeout") };
    if (error instanceof TooLargeError) return invalid(tooLargeMessage(maxBytes));
    if (error instanceof InterruptedInputError) return invalid(error.message);
    throw error;
  }
  const bytes = Buffer.concat(chunks);
  if (bytes.length === 0) return { members: {} };
  try {
    const value: unknown = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
    if (typeof value === "object" && value !== null && !Array.isArray(value))
      return { members: value as Record<string, unknown> };
  } catch {
    // The parser's message would repeat part of the body, which may contain a key.
  }
  return invalid("the body is not a JSON object");
}

const invalid = (reason: string): Result => ({
  problem: problem("request.members", `${reason.charAt(0).toUpperCase()}${reason.slice(1)}.`),
});
