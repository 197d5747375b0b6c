// Identifies clients without a key by their network.
import { isIPv4 } from "node:net";

/** Unmaps IPv4 addresses of IPv6 sockets. */
export const plainAddress = (address: string): string => /^::ffff:(\d+(?:\.\d+){3})$/i.exec(address)?.[1] ?? address;

/** An IPv4 address, or the first 64 bits of an IPv6 address, which is what providers assign to one customer. */
export function networkOf(ip: string): string {
  const address = plainAddress(ip);
  if (isIPv4(address) || !address.includes(":")) return address;
  const [head = "", tail] = (address.split("%", 1)[0] ?? "").toLowerCase().split("::");
  const groups = head === "" ? [] : head.split(":");
  const after = tail === undefined || tail === "" ? [] : tail.split(":");
  const zeros = tail === undefined ? 0 : Math.max(0, 8 - groups.length - after.length);
  const all = [...groups, ...Array.from({ length: zeros }, () => "0"), ...after];
  return `${all
    .slice(0, 4)
    .map((group) => group.replace(/^0+(?=.)/, ""))
    .join(":")}::/64`;
}
