// Terms of a key as command-line flags; invalid values are reported by flag.
import { UsageError } from "../../config.ts";
import { defaultScopes, scopeNames } from "../../core/access/scope.ts";
import type { ParameterError } from "../../core/problem.ts";
import { availableTerms, parameterError, parseTerms } from "../../keys/terms.ts";
import { catalog } from "../../resources/catalog.ts";
import { parseList } from "../../settings/setting.ts";
import type { Invocation, Option } from "../command.ts";

export const offer = availableTerms(catalog);

type Flag = Option & {
  /** The term that the flag sets. */
  readonly term: string;
  /** Parses the text into terms; undefined when it is invalid. */
  readonly read?: (text: string) => Readonly<Record<string, unknown>> | undefined;
  readonly expected?: string;
};

const list = (term: string, value: string, help: string): Flag => ({
  term,
  value,
  help: `${help}; comma-separated or repeated`,
  repeated: true,
  read: (text) => ({ [term]: parseList(text) }),
});

const count = (term: string, value: string, help: string): Flag => ({
  term,
  value,
  help,
  read: (text) => ({ [term]: /^\d{1,15}$/.test(text) ? Number(text) : text }),
});

const seconds: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3600 };

export const termFlags: Readonly<Record<string, Flag>> = {
  owner: { term: "owner", value: "TEXT", help: "owner of the key" },
  scope: list("scopes", "LIST", `what the key may do (${scopeNames.join(", ")}) [${defaultScopes.join(",")}]`),
  license: list("licenses", "LIST", `licenses of the key (${offer.licenses.join(", ")})`),
  resource: list("resources", "LIST", "resources the key may read, all by default"),
  history: {
    term: "history",
    value: "DAY|DAYS",
    help: "oldest visible day as YYYY-MM-DD, or a number of days such as 365d",
  },
  delay: count("delay_minutes", "MINUTES", "minutes before a new record becomes visible"),
  rate: {
    term: "rate",
    value: "RATE",
    help: "rate limit such as 5/s, 100/m, or 1000/h; 0 for no limit",
    expected: "a rate such as 5/s, 100/m, or 1000/h, or 0",
    read: (text) => {
      const [, number, unit = "s"] = /^(\d{1,6}(?:\.\d{1,6})?)(?:\/([smh]))?$/.exec(text) ?? [];
      return number === undefined ? undefined : { rate: Number(number) / (seconds[unit] ?? 1) };
    },
  },
  burst: count("burst", "N", "burst of the rate limit; by default the requests of one second"),
  quota: {
    term: "quota",
    value: "N/PERIOD",
    help: "requests per day or month, such as 1000/day or 20000/month; 0 for no limit",
    expected: "a quota such as 1000/day or 20000/month, or 0",
    read: (text) => {
      if (text === "0") return { quota: 0 };
      const [, number, period] = /^(\d{1,15})\/(day|month)$/.exec(text) ?? [];
      return number === undefined ? undefined : { quota: Number(number), quota_per: period };
    },
  },
  expires: { term: "expires", value: "DAY", help: "last day on which the key is valid, YYYY-MM-DD" },
  origin: list("origins", "LIST", "web origins that may use the key, such as https://example.com"),
  compat: {
    term: "compat",
    value: "true|false",
    help: "whether the key is served as clients of other implementations expect",
    read: (text) => ({ compat: text === "true" ? true : text === "false" ? false : text }),
  },
  network: list("networks", "LIST", "networks the key may be used from, such as 192.0.2.0/24"),
};

/** The terms set by flags, by wire name; throws on the first invalid one, before a database is opened. */
export function termsFromFlags(options: Invocation["options"]): Record<string, unknown> {
  const parsed: Record<string, unknown> = {};
  for (const [name, flag] of Object.entries(termFlags)) {
    const text = options[name];
    if (text === undefined) continue;
    const terms = flag.read === undefined ? { [flag.term]: String(text) } : flag.read(String(text).trim());
    if (terms === undefined) throw flagError(parameterError(flag.term, String(text), flag.expected ?? "another value"));
    Object.assign(parsed, terms);
  }
  const [wrong] = parseTerms(parsed, offer).errors;
  if (wrong !== undefined) throw flagError(wrong);
  return parsed;
}

/** The error for an invalid term, named by its flag. */
export function flagError({ parameter, given, expected }: ParameterError): UsageError {
  const named = Object.keys(termFlags).find((name) => termFlags[name]?.term === parameter);
  const flag = named ?? (parameter === "quota_per" ? "quota" : parameter === "grace_hours" ? "grace" : parameter);
  return new UsageError(`--${flag}: expected ${expected}, got "${given}"`);
}
