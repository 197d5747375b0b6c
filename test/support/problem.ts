// Asserts the form that all problems share.
import assert from "node:assert/strict";
import { type Code, problems } from "../../src/core/problem.ts";
import type { Reply } from "./clients/listening.ts";

/** RFC 9457, with the members that every problem has and no others. */
export function isProblem(reply: Reply, code: Code): void {
  const { status, title } = problems[code];
  assert.equal(reply.status, status, reply.text);
  assert.equal(reply.headers["content-type"], "application/problem+json; charset=utf-8");
  assert.equal(reply.headers["cache-control"], "no-store");
  assert.equal(reply.headers["content-length"], String(Buffer.byteLength(reply.text)));
  const { detail, errors, request_id, report, ...rest } = reply.json;
  assert.equal(typeof report, code === "records.refused" ? "object" : "undefined");
  assert.deepEqual(rest, { type: `/docs/problems#${code}`, title, status, code });
  assert.match(detail, /^\S.*\.$/);
  assert.ok(Array.isArray(errors));
  assert.ok(request_id.length > 0);
  assert.equal(reply.headers["x-request-id"], request_id);
}
