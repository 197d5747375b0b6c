// Request IDs, for response headers, log lines, and problem documents.
import { randomBytes } from "node:crypto";
import { redactKeys } from "../../keys/redact.ts";

const boot = randomBytes(6).toString("hex");
let count = 0;

/** Uses the client's ID if it is plain and contains no key. */
export function requestId(sent?: string | string[]): string {
  if (typeof sent === "string" && /^[\w.-]{1,64}$/.test(sent) && redactKeys(sent) === sent) return sent;
  count++;
  return `${boot}-${count.toString(36)}`;
}
