// By what clients are told apart that have no key: their address, or what a provider gives to one of them as a whole.
import { isIPv4 } from "node:net";

/** An IPv4 address that came over an IPv6 socket is that IPv4 address. */
export const plainAddress = (address: string): string => /^::ffff:(\d+(?:\.\d+){3})$/i.exec(address)?.[1] ?? address;

/** What one client has for itself: an IPv4 address, or the first 64 bits of an IPv6 one. */
export function networkOf(given: string): string {
  const address = plainAddress(given);
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
