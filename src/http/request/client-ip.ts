// The address that a request comes from: of its connection, or, through proxies that are trusted, the one that they name.
import type { IncomingMessage } from "node:http";
import { plainAddress } from "../../core/access/client-network.ts";
import { networkMatcher } from "../../keys/networks.ts";

export type ClientAddress = (request: IncomingMessage) => string;

/**
 * Each proxy adds to `X-Forwarded-For` whom it was asked by. The last address that no trusted proxy stands for is
 * believed; what stands before it could have been written by anyone.
 */
export function clientAddress(proxies: readonly string[]): ClientAddress {
  const isProxy = proxies.length === 0 ? () => false : networkMatcher(proxies);
  return ({ socket, headers }) => {
    let address = plainAddress(socket.remoteAddress ?? "");
    if (!isProxy(address)) return address;
    const named = [headers["x-forwarded-for"] ?? []].flat().join(",").split(",");
    for (const each of named.reverse()) {
      const before = plainAddress(each.trim());
      if (before === "") break;
      address = before;
      if (!isProxy(address)) break;
    }
    return address;
  };
}
