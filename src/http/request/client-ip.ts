// The client's address: that of the connection or, behind trusted proxies, the one in `X-Forwarded-For`.
import type { IncomingMessage } from "node:http";
import { plainAddress } from "../../core/access/client-network.ts";
import { networkMatcher } from "../../keys/networks.ts";

export type ClientAddress = (request: IncomingMessage) => string;

/** Each proxy appends its client's address. The last one that isn't a trusted proxy counts; those before may be forged. */
export function clientAddress(proxies: readonly string[]): ClientAddress {
  const isProxy = proxies.length === 0 ? () => false : networkMatcher(proxies);
  return ({ socket, headers }) => {
    let address = plainAddress(socket.remoteAddress ?? "");
    if (!isProxy(address)) return address;
    const forwarded = [headers["x-forwarded-for"] ?? []].flat().join(",").split(",");
    for (const each of forwarded.reverse()) {
      const previous = plainAddress(each.trim());
      if (previous === "") break;
      address = previous;
      if (!isProxy(address)) break;
    }
    return address;
  };
}
