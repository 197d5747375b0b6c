// Terms of a key as flags of the command line, and mistakes in them told by the flag.
import { UsageError } from "../../config.ts";
import { defaultScopes, scopeNames } from "../../core/access/scope.ts";
import type { Mistake } from "../../core/problem.ts";
import { mistake, offerOf, readTerms } from "../../keys/terms.ts";
import { catalog } from "../../resources/catalog.ts";
import { listOf } from "../../settings/setting.ts";
import type { Invocation, Option } from "../command.ts";

export const offer = offerOf(catalog);

type Flag = Option & {
  /** The term that it gives. */
  readonly term: string;
  /** The text as the terms that it stands for; undefined when it can't be read. */
  readonly read?: (text: string) => Readonly<Record<string, unknown>> | undefined;
  readonly expected?: string;
};

const list = (term: string, value: string, help: string): Flag => ({
  term,
  value,
  help: `${help}, separated by commas or given again`,
  repeated: true,
  read: (text) => ({ [term]: listOf(text) }),
});

const count = (term: string, value: string, help: string): Flag => ({
  term,
  value,
  help,
  read: (text) => ({ [term]: /^\d{1,15}$/.test(text) ? Number(text) : text }),
});

const seconds: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3600 };

export const termFlags: Readonly<Record<string, Flag>> = {
  owner: { term: "owner", value: "TEXT", help: "whose key it is" },
  scope: list("scopes", "LIST", `what the key may do (${scopeNames.join(", ")}) [${defaultScopes.join(",")}]`),
  license: list("licenses", "LIST", `licenses that the key holds (${offer.licenses.join(", ")})`),
  resource: list("resources", "LIST", "resources that the key is for; all unless given"),
  history: { term: "history", value: "DAY|DAYS", help: "oldest day that is seen, YYYY-MM-DD, or days back, 365d" },
  delay: count("delay_minutes", "MINUTES", "minutes that pass before a record is seen"),
  rate: {
    term: "rate",
    value: "RATE",
    help: "requests that may be sent, such as 5/s, 100/m or 1000/h; 0 for no limit",
    expected: "a rate such as 5/s, 100/m or 1000/h, or 0",
    read: (text) => {
      const [, number, unit = "s"] = /^(\d{1,6}(?:\.\d{1,6})?)(?:\/([smh]))?$/.exec(text) ?? [];
      return number === undefined ? undefined : { rate: Number(number) / (seconds[unit] ?? 1) };
    },
  },
  burst: count("burst", "N", "requests that may come at once; as many as in a second unless given"),
  quota: {
    term: "quota",
    value: "N/PERIOD",
    help: "requests in a period, such as 1000/day or 20000/month; 0 for no limit",
    expected: "a quota such as 1000/day or 20000/month, or 0",
    read: (text) => {
      if (text === "0") return { quota: 0 };
      const [, number, period] = /^(\d{1,15})\/(day|month)$/.exec(text) ?? [];
      return number === undefined ? undefined : { quota: Number(number), quota_per: period };
    },
  },
  expires: { term: "expires", value: "DAY", help: "last day on which the key is good, YYYY-MM-DD" },
  origin: list("origins", "LIST", "origins of pages that may use the key, such as https://example.com"),
  network: list("networks", "LIST", "networks that the key may be used from, such as 192.0.2.0/24"),
};

/** The terms that were given, by their names on the wire; throws on the first mistake, before a database is opened. */
export function termsGiven(options: Invocation["options"]): Record<string, unknown> {
  const given: Record<string, unknown> = {};
  for (const [name, flag] of Object.entries(termFlags)) {
    const text = options[name];
    if (text === undefined) continue;
    const terms = flag.read === undefined ? { [flag.term]: String(text) } : flag.read(String(text).trim());
    if (terms === undefined) throw usage(mistake(flag.term, String(text), flag.expected ?? "another value"));
    Object.assign(given, terms);
  }
  const [wrong] = readTerms(given, offer).mistakes;
  if (wrong !== undefined) throw usage(wrong);
  return given;
}

/** A mistake by the flag that it was made with. */
export function usage({ parameter, given, expected }: Mistake): UsageError {
  const named = Object.keys(termFlags).find((name) => termFlags[name]?.term === parameter);
  const flag = named ?? (parameter === "quota_per" ? "quota" : parameter === "grace_hours" ? "grace" : parameter);
  return new UsageError(`--${flag}: expected ${expected}, got "${given}"`);
}
