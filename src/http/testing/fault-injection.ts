// Test mode: injects the fault that is requested by a header or set for the key.
import type { IncomingMessage, ServerResponse } from "node:http";
import { setTimeout } from "node:timers/promises";
import { type Fault, faultHeader, parseFault } from "../../core/fault-injection.ts";
import { type Code, type Problem, problem, problems } from "../../core/problem.ts";
import type { Exchange } from "../exchange.ts";
import type { Handler } from "../middleware.ts";
import { STATUS_CODES } from "../node-http.ts";
import type { WriteProblem } from "../response/write-problem.ts";

type StatusFault = Exclude<Fault["then"], string | undefined>;

export type FaultDeps = {
  readonly writeProblem: WriteProblem;
  /** The fault set for the request's key, unparsed; empty: none. */
  readonly faultOfKey: (request: IncomingMessage) => Promise<string>;
};

/** Injects the fault, then runs the handler unless the fault replaces the response. */
export function faultInjector(deps: FaultDeps): (exchange: Exchange, handler: Handler) => void {
  return (exchange, handler) => void inject(exchange, handler, deps);
}

async function inject(exchange: Exchange, handler: Handler, { writeProblem, faultOfKey }: FaultDeps): Promise<void> {
  const { request, response } = exchange;
  const header = request.headers[faultHeader.toLowerCase()];
  const text = header === undefined ? await faultOfKey(request) : String(header);
  if (text === "") return handler(exchange);
  const parsed = parseFault(text);
  if ("error" in parsed) {
    const detail = `${faultHeader} is invalid.`;
    return writeProblem(exchange, problem("request.parameters", detail, { errors: [parsed.error] }));
  }
  const { delayMs, then } = parsed.fault;
  // Marks the response, so that nobody looks for another cause.
  response.setHeader(faultHeader, text);
  if (delayMs > 0) await setTimeout(delayMs);
  if (response.destroyed || then === "cut") return void request.socket.destroy();
  if (then === "truncate") truncate(response);
  if (then === undefined || then === "truncate") return handler(exchange);
  const failure = problemOf(then);
  if (failure === undefined) writeForeign(exchange, then);
  else writeProblem(exchange, failure);
}

/** A status that this server never sends: plain text, like a proxy's. */
function writeForeign(exchange: Exchange, { status, retryAfter }: StatusFault): void {
  const body = `${STATUS_CODES[status] ?? "Fault"}\n`;
  exchange.bytes = Buffer.byteLength(body);
  const wait = retryAfter === undefined ? {} : { "retry-after": String(retryAfter) };
  const headers = {
    "content-type": "text/plain",
    "content-length": exchange.bytes,
    "x-request-id": exchange.id,
    ...wait,
  };
  exchange.response.writeHead(status, headers);
  exchange.response.end(body);
}

/** The first problem with this status. */
function problemOf({ status, retryAfter }: StatusFault): Problem | undefined {
  const [code] = (Object.keys(problems) as Code[]).filter((each) => problems[each].status === status);
  if (code === undefined) return undefined;
  const seconds = retryAfter ?? (status === 429 ? 1 : status === 503 ? 5 : undefined);
  const headers = seconds === undefined ? {} : { "retry-after": String(seconds) };
  return problem(code, `Injected by ${faultHeader}.`, { headers });
}

/** Sends half of the body under its full Content-Length. */
function truncate(response: ServerResponse): void {
  const end = (body?: unknown): ServerResponse => {
    const bytes = typeof body === "string" || body instanceof Uint8Array ? Buffer.from(body) : Buffer.alloc(0);
    response.write(bytes.subarray(0, bytes.length >> 1), () => response.socket?.destroy());
    return response;
  };
  response.end = end as typeof response.end;
}
