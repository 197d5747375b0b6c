// Settings that protect the service from overload and its admin endpoints from the public.
import { isNetwork } from "../keys/networks.ts";
import { integer, nonEmpty, parseList, type Setting } from "./setting.ts";

const port = integer(0, 65_535);

export const protectionSettings = {
  "admin-port": {
    value: "PORT",
    help: "separate port for admin endpoints and metrics, which are then not served on --port; 0 chooses a free one, empty for none",
    fallback: "",
    check: (text: string) => text === "" || port.check(text),
    expected: `${port.expected}, or empty`,
  },
  "admin-host": {
    value: "HOST",
    help: "address to listen on for --admin-port",
    fallback: "127.0.0.1",
    ...nonEmpty("a name or an IP address"),
  },
  proxies: {
    value: "LIST",
    help: "comma-separated networks of trusted reverse proxies, whose X-Forwarded-For is used as the client address",
    fallback: "",
    check: (text: string) => parseList(text).every(isNetwork),
    expected: "comma-separated networks such as 10.0.0.0/8 or 127.0.0.1",
  },
  connections: {
    value: "N",
    help: "maximum open connections per process; further ones are closed; 0 for no limit",
    fallback: "10000",
    ...integer(0, 999_999),
  },
  "address-connections": {
    value: "N",
    help: "maximum open connections per client address (IPv6: per /64 network), proxies excepted; 0 for no limit",
    fallback: "500",
    ...integer(0, 999_999),
  },
  "wrong-tokens": {
    value: "N",
    help: "invalid tokens per minute and client address before it gets 429 responses; 0 for no limit",
    fallback: "20",
    ...integer(0, 999_999),
  },
  "key-concurrency": {
    value: "N",
    help: "concurrent database reads per key; further requests of the key wait; 0 for no limit",
    fallback: "32",
    ...integer(0, 100_000),
  },
  "key-streams": {
    value: "N",
    help: "open streams per key and process; further ones get 429 responses; 0 for no limit",
    fallback: "10",
    ...integer(0, 100_000),
  },
  "busy-ms": {
    value: "MS",
    help: "how long a request may wait for a busy process before it gets a 503 response; 0 for no limit",
    fallback: "500",
    ...integer(0, 60_000),
  },
  "waiting-megabytes": {
    value: "MB",
    help: "memory for responses that clients have not read yet; beyond it the slowest clients are disconnected",
    fallback: "256",
    ...integer(1, 100_000),
  },
} as const satisfies Record<string, Setting>;
