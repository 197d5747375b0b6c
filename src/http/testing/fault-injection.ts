// In front of everything else in test mode: gives a request the trouble that it, or its key, asks for.
import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import { type Fault, faultHeader, parseFault } from "../../core/fault-injection.ts";
import { type Code, type Problem, problem, problems } from "../../core/problem.ts";
import { STATUS_CODES } from "../node-http.ts";
import { type Count, noRoute } from "../observe/access-log.ts";
import type { UnderWay } from "../protection/in-flight.ts";
import { requestId } from "../request/request-id.ts";
import type { Refuse } from "../response/write-problem.ts";

export type FaultDeps = {
  readonly handle: RequestListener;
  readonly refuse: Refuse;
  readonly answered: Count;
  readonly underWay: UnderWay;
  readonly ticks: () => number;
  /** The fault that the key of a request is to meet, as it was written; empty: none. */
  readonly faultOfKey: (request: IncomingMessage) => Promise<string>;
};

export function withFaults(deps: FaultDeps): RequestListener {
  return (request, response) => void meet(request, response, deps);
}

async function meet(request: IncomingMessage, response: ServerResponse, deps: FaultDeps): Promise<void> {
  const { handle, refuse, answered, underWay } = deps;
  const about = { route: noRoute, began: deps.ticks(), key: "" };
  const given = request.headers[faultHeader.toLowerCase()];
  const text = given === undefined ? await deps.faultOfKey(request) : String(given);
  if (text === "") return handle(request, response);
  underWay.add(response);
  const parsed = parseFault(text);
  if ("mistake" in parsed) {
    const detail = `${faultHeader} was not understood.`;
    return refuse(request, response, problem("request.parameters", detail, { errors: [parsed.mistake] }), about);
  }
  const { delayMs, then } = parsed.fault;
  // So that nobody looks for a reason elsewhere.
  response.setHeader(faultHeader, text);
  if (delayMs > 0) await new Promise((resolve) => setTimeout(resolve, delayMs));
  if (response.destroyed || then === "cut") return void request.socket.destroy();
  if (then === "truncate") truncate(response);
  if (then === undefined || then === "truncate") return handle(request, response);
  const failure = problemOf(then);
  if (failure !== undefined) return refuse(request, response, failure, about);
  // What no part of this server answers comes from something in front of it, in words of its own.
  const body = `${STATUS_CODES[then.status] ?? "Fault"}\n`;
  const bytes = Buffer.byteLength(body);
  const wait = then.retryAfter === undefined ? {} : { "retry-after": String(then.retryAfter) };
  const id = requestId(request.headers["x-request-id"]);
  const headers = { "content-type": "text/plain", "content-length": bytes, "x-request-id": id, ...wait };
  response.writeHead(then.status, headers);
  response.end(body);
  const ms = deps.ticks() - about.began;
  answered({ ...about, request, id, status: then.status, ms, bytes, records: 0, fromMemory: true });
}

/** The first problem of the catalogue with this status, as a client would meet it. */
function problemOf({ status, retryAfter }: Exclude<Fault["then"], string | undefined>): Problem | undefined {
  const [code] = (Object.keys(problems) as Code[]).filter((each) => problems[each].status === status);
  if (code === undefined) return undefined;
  const seconds = retryAfter ?? (status === 429 ? 1 : status === 503 ? 5 : undefined);
  const headers = seconds === undefined ? {} : { "retry-after": String(seconds) };
  return problem(code, `This was asked for with ${faultHeader}.`, { headers });
}

/** Half of the body is sent, while its length is told in full. */
function truncate(response: ServerResponse): void {
  const end = (body?: unknown): ServerResponse => {
    const bytes = typeof body === "string" || body instanceof Uint8Array ? Buffer.from(body) : Buffer.alloc(0);
    response.write(bytes.subarray(0, bytes.length >> 1), () => response.socket?.destroy());
    return response;
  };
  response.end = end as typeof response.end;
}
