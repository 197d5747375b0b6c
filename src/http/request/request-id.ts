// The id of a request, which its answer, its log line and a problem's body carry.
import { randomBytes } from "node:crypto";
import { redactKeys } from "../../keys/redact.ts";

const boot = randomBytes(6).toString("hex");
let count = 0;

/** A client's own id is kept when it is plain; anything else gets a fresh one. */
export function requestId(given?: string | string[]): string {
  if (typeof given === "string" && /^[\w.-]{1,64}$/.test(given) && redactKeys(given) === given) return given;
  count++;
  return `${boot}-${count.toString(36)}`;
}
