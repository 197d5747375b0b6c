// The client of a stream: its key is checked again when keys change, and operators see what it has received.
import type { IncomingMessage } from "node:http";
import { problems } from "../../core/problem.ts";
import { parseQuery, queryOf } from "../../core/query/query-string.ts";
import { redactKeys } from "../../keys/redact.ts";
import type { StreamClientInfo } from "../../live/open-streams.ts";
import type { CloseReason, SubscriberClient } from "../../live/subscriber.ts";
import type { StoreState } from "../../store/store.ts";
import type { Exchange } from "../exchange.ts";
import type { Principal } from "../request/auth.ts";
import type { ClientAddress } from "../request/client-ip.ts";
import type { ParseRequest } from "../request/parsed-request.ts";
import { ProblemError } from "../response/problem-error.ts";

type StreamClientDeps = {
  readonly addressOf: ClientAddress;
  /** Unix seconds. */
  readonly now: () => number;
};

/** It retains little: there are thousands of them. */
export class StreamClient implements SubscriberClient {
  readonly #exchange: Exchange;
  readonly #principal: Principal;
  readonly #parse: ParseRequest;
  readonly #deps: StreamClientDeps;
  readonly #opened: number;

  constructor(exchange: Exchange, principal: Principal, parse: ParseRequest, deps: StreamClientDeps) {
    this.#exchange = exchange;
    this.#principal = principal;
    this.#parse = parse;
    this.#deps = deps;
    this.#opened = deps.now();
  }

  /** Until when the key is valid now, or why the stream ends. */
  async recheck(state: StoreState): Promise<number | CloseReason> {
    const [exchange, before] = [this.#exchange, this.#principal];
    try {
      const { principal: current } = await this.#parse(exchange, state, true);
      const isSame = (["history", "delay", "compat"] as const).every((term) => current[term] === before[term]);
      return isSame ? current.until : "terms";
    } catch (error) {
      if (!(error instanceof ProblemError)) throw error;
      exchange.key = before.name;
      if (this.#deps.now() >= before.until) return "expired";
      return problems[error.problem.code].status === 403 ? "terms" : "revoked";
    }
  }

  info(): StreamClientInfo {
    const { request, isUpgraded, records, bytes = 0 } = this.#exchange;
    return {
      key: this.#principal.name,
      transport: isUpgraded ? "messages" : "events",
      filters: filtersOf(request),
      address: this.#deps.addressOf(request),
      opened: this.#opened,
      events: records,
      bytes,
    };
  }
}

/** The query without key and position, decoded. */
function filtersOf({ url = "" }: IncomingMessage): string {
  const { query } = parseQuery(queryOf(url));
  const pairs = [...query].filter(([name]) => name !== "token" && name !== "since");
  return redactKeys(pairs.flatMap(([name, values]) => values.map((value) => `${name}=${value}`)).join("&"));
}
