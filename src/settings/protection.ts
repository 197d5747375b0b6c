// Settings that keep one client from spoiling the service for others, and the public from its administration.
import { isNetwork } from "../keys/networks.ts";
import { filled, listOf, number, type Setting } from "./setting.ts";

const port = number(0, 65_535);

export const protectionSettings = {
  "admin-port": {
    value: "PORT",
    help: "port for administration and metrics, which are then not served on the other one; 0 takes a free one, empty is none",
    fallback: "",
    check: (text: string) => text === "" || port.check(text),
    expected: `${port.expected}, or empty`,
  },
  "admin-host": {
    value: "HOST",
    help: "address to listen on for administration",
    fallback: "127.0.0.1",
    ...filled("a name or an IP address"),
  },
  proxies: {
    value: "LIST",
    help: "networks of proxies in front of the server, separated by commas; whom they name in X-Forwarded-For is believed",
    fallback: "",
    check: (text: string) => listOf(text).every(isNetwork),
    expected: "networks such as 10.0.0.0/8 or 127.0.0.1, separated by commas",
  },
  connections: {
    value: "N",
    help: "connections that a process takes at once, 0 for any number; more are closed at once",
    fallback: "10000",
    ...number(0, 999_999),
  },
  "address-connections": {
    value: "N",
    help: "the same for one address, or one IPv6 network of 64 bits; proxies are not counted",
    fallback: "500",
    ...number(0, 999_999),
  },
  "wrong-tokens": {
    value: "N",
    help: "wrong tokens that one address may send in a minute before it is answered 429; 0 for any number",
    fallback: "20",
    ...number(0, 999_999),
  },
  "key-concurrency": {
    value: "N",
    help: "requests of one key that may read from the database at once; further ones wait for those of the same key; 0 for any number",
    fallback: "32",
    ...number(0, 100_000),
  },
  "busy-ms": {
    value: "MS",
    help: "how long a request may have waited for the process before it is answered 503 instead; 0 for ever",
    fallback: "500",
    ...number(0, 60_000),
  },
  "waiting-megabytes": {
    value: "MB",
    help: "memory for answers that their clients have not read yet; beyond it the slowest clients are cut off",
    fallback: "256",
    ...number(1, 100_000),
  },
} as const satisfies Record<string, Setting>;
