// Key terms from the OpenAPI document: text in the form, values in requests.
import type { Parameter, Schema } from "../../api/document.ts";

export type Term = Parameter;
export type Texts = Readonly<Record<string, string>>;

/** Defaults and formats that aren't in the OpenAPI document. */
const overrides: Readonly<Record<string, Schema>> = {
  scopes: { default: "read" },
  licenses: { default: "none" },
  resources: { default: "all" },
  expires: { format: "date" },
};

const examples: Readonly<Record<string, unknown>> = {
  owner: "Acme Ltd",
  history: "365d",
  delay_minutes: "0",
  rate: "no limit, or 5/s",
  burst: "1 s of requests",
  quota: "no limit",
  origins: ["https://example.com"],
  networks: ["192.0.2.0/24"],
};

/** The first value of an enum is its default. */
const defaultOf = ({ enum: words }: Schema): Pick<Schema, "default"> =>
  words === undefined ? {} : { default: words[0] };

export const termsOf = (properties: Readonly<Record<string, Schema>>): Term[] =>
  Object.entries(properties).map(([name, schema]) => ({
    name,
    short: name,
    doc: schema.description ?? "",
    schema: { ...schema, ...defaultOf(schema), ...overrides[name] },
    example: examples[name] ?? "",
  }));

/** Empty for defaults and for terms without a limit. */
export function textOfTerm({ schema }: Term, value: unknown): string {
  if (Array.isArray(value)) return value.join(",");
  if (value === undefined || value === null || value === 0 || value === schema.default) return "";
  return String(value);
}

/** Invalid numbers are sent unchanged, and the server reports what it expects. */
export function valueOfTerm({ schema }: Term, text: string): unknown {
  const plain = text.trim();
  if (schema.type === "array")
    return plain
      .split(",")
      .map((each) => each.trim())
      .filter((each) => each !== "");
  if (schema.type === "integer" || schema.type === "number") {
    const number = plain === "" ? 0 : (perSecond(plain) ?? Number(plain));
    return Number.isNaN(number) ? plain : number;
  }
  return plain === "" ? (schema.default ?? "") : plain;
}

const seconds: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3600 };

/** `5/s`, `100/m`, and `1000/h`, as commands accept them. */
function perSecond(text: string): number | undefined {
  const [, count, unit = ""] = /^(\d+(?:\.\d+)?)\/([smh])$/.exec(text) ?? [];
  return count === undefined ? undefined : Number(count) / (seconds[unit] ?? 1);
}

/** Changed terms by wire name. */
export const changedTerms = (terms: readonly Term[], before: Texts, texts: Texts): Record<string, unknown> =>
  Object.fromEntries(
    terms
      .filter(({ name }) => (texts[name] ?? "").trim() !== (before[name] ?? ""))
      .map((term) => [term.name, valueOfTerm(term, texts[term.name] ?? "")]),
  );
