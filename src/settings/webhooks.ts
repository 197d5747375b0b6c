// Settings of webhooks.
import { isNetwork } from "../keys/networks.ts";
import { parseList, type Setting } from "./setting.ts";

export const webhookSettings = {
  "webhook-networks": {
    value: "LIST",
    help: "comma-separated private networks that webhooks may be delivered to, such as 10.0.0.0/8; all other addresses must be public",
    fallback: "",
    check: (text: string) => parseList(text).every(isNetwork),
    expected: "comma-separated networks such as 10.0.0.0/8 or 127.0.0.1",
  },
} as const satisfies Record<string, Setting>;
