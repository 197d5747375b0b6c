// One attempt to deliver a message: a POST to an allowed address, with limits on time and on what is read of the response.
import { Agent as HttpAgent, type IncomingMessage, request as requestHttp } from "node:http";
import { Agent as HttpsAgent, request as requestHttps } from "node:https";
import { retryAfterMs } from "../core/retry-after.ts";
import { networkMatcher } from "../keys/networks.ts";
import { redactKeys } from "../keys/redact.ts";
import { checkHost, guardedLookup, isPublic, PrivateAddressError } from "../outbound/private-address.ts";
import { responseTo } from "../outbound/response.ts";

export type Sent = {
  /** Null if there was no response. */
  readonly status: number | null;
  readonly ms: number;
  /** The first characters of the response, or why there is none. */
  readonly response: string;
  readonly retryAfterSeconds?: number;
};

export const isSuccess = ({ status }: Pick<Sent, "status">): boolean =>
  status !== null && status >= 200 && status < 300;

export type SendOptions = {
  /** Such as `Bellwire/1.0`. */
  readonly agent: string;
  /** Whether an address may be connected to. */
  readonly isAllowed: (address: string) => boolean;
  readonly timeoutMs?: number;
};

/** `networks`: addresses that are allowed in addition to public ones. */
export function sendOptions(version: string, networks: readonly string[]): SendOptions {
  const isListed = networkMatcher(networks);
  return { agent: `Bellwire/${version}`, isAllowed: (address) => isPublic(address) || isListed(address) };
}

type Message = { readonly headers: Readonly<Record<string, string>>; readonly body: string };

const defaultTimeoutMs = 15_000;
const maxResponseBytes = 2048;
const maxResponseLength = 500;

/** Idle connections are closed after this long, which is less than most servers wait. */
const idleMs = 4000;

/** Sends messages to one receiver, over connections that it reuses. */
export class Sender {
  readonly #options: SendOptions;
  readonly #agents = {
    "http:": new HttpAgent({ keepAlive: true, timeout: idleMs }),
    "https:": new HttpsAgent({ keepAlive: true, timeout: idleMs }),
  };

  constructor(options: SendOptions) {
    this.#options = options;
  }

  async send(url: URL, message: Message, stopped?: AbortSignal): Promise<Sent> {
    const { timeoutMs = defaultTimeoutMs } = this.#options;
    const startedAt = performance.now();
    const limit = AbortSignal.timeout(timeoutMs);
    const signal = stopped === undefined ? limit : AbortSignal.any([limit, stopped]);
    const done = (sent: Omit<Sent, "ms">): Sent => ({ ...sent, ms: Math.round(performance.now() - startedAt) });
    try {
      const response = await this.#post(url, message, signal);
      const status = response.statusCode ?? 0;
      const waitMs = retryAfterMs(response.headers["retry-after"], Date.now());
      return done({
        status,
        response: await textOf(response),
        ...(waitMs === undefined ? {} : { retryAfterSeconds: waitMs / 1000 }),
      });
    } catch (error) {
      if (error instanceof PrivateAddressError)
        return done({ status: null, response: `${error.message}, outside of --webhook-networks` });
      const { code, message: text } = error as NodeJS.ErrnoException;
      // An error of the connection has a code; anything else is a bug.
      if (code === undefined) throw error;
      if (limit.aborted) return done({ status: null, response: `no response within ${timeoutMs / 1000} s` });
      return done({ status: null, response: printable(text || String(code)) });
    }
  }

  close(): void {
    for (const agent of Object.values(this.#agents)) agent.destroy();
  }

  async #post(url: URL, message: Message, signal: AbortSignal): Promise<IncomingMessage> {
    const { isAllowed, agent } = this.#options;
    checkHost(url.hostname, isAllowed);
    const isSecure = url.protocol === "https:";
    const attempt = () => {
      const request = (isSecure ? requestHttps : requestHttp)(url, {
        method: "POST",
        agent: this.#agents[isSecure ? "https:" : "http:"],
        signal,
        lookup: guardedLookup(isAllowed),
        headers: {
          "content-type": "application/json",
          "content-length": Buffer.byteLength(message.body),
          "user-agent": agent,
          ...message.headers,
        },
      });
      request.end(message.body);
      return responseTo(request).catch((error: NodeJS.ErrnoException) => {
        // The receiver closed an idle connection at the moment when it was reused.
        if (request.reusedSocket && error.code === "ECONNRESET") return "closed" as const;
        throw error;
      });
    };
    for (;;) {
      const response = await attempt();
      if (response !== "closed") return response;
    }
  }
}

/** What was received counts, even if the rest never arrives. */
async function textOf(response: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let length = 0;
  try {
    for await (const chunk of response as AsyncIterable<Buffer>) {
      chunks.push(chunk);
      length += chunk.length;
      // Leaving the loop closes the connection.
      if (length >= maxResponseBytes) break;
    }
  } catch {
    // The status decides.
  }
  return printable(Buffer.concat(chunks).toString("utf8"));
}

/** Safe to print on a terminal, without a key. */
const printable = (text: string): string =>
  redactKeys(
    text
      .toWellFormed()
      .replace(/\p{Cc}+/gu, " ")
      .trim(),
  ).slice(0, maxResponseLength);
