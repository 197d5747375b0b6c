// Terms of a key as a form holds them: which ones there are, the document says; texts in the form, values on the wire.
import type { Parameter, Schema } from "../../api/document.ts";

export type Term = Parameter;
export type Texts = Readonly<Record<string, string>>;

/** What the document does not say of a term: how it is entered, and what holds without it. */
const own: Readonly<Record<string, Schema>> = {
  scopes: { default: "read" },
  licenses: { default: "none" },
  resources: { default: "all" },
  expires: { format: "date" },
};

const examples: Readonly<Record<string, unknown>> = {
  owner: "Acme Ltd",
  history: "365d",
  delay_minutes: "0",
  rate: "no limit",
  burst: "of one second",
  quota: "no limit",
  origins: ["https://example.com"],
  networks: ["192.0.2.0/24"],
};

/** A word that is not given is the first one. */
const defaultOf = ({ enum: words }: Schema): Pick<Schema, "default"> =>
  words === undefined ? {} : { default: words[0] };

export const termsOf = (properties: Readonly<Record<string, Schema>>): Term[] =>
  Object.entries(properties).map(([name, schema]) => ({
    name,
    short: name,
    doc: schema.description ?? "",
    schema: { ...schema, ...defaultOf(schema), ...own[name] },
    example: examples[name] ?? "",
  }));

/** What a key has, as the form shows it: nothing for what is not limited. */
export function textOfTerm({ schema }: Term, value: unknown): string {
  if (Array.isArray(value)) return value.join(",");
  if (value === undefined || value === null || value === 0 || value === schema.default) return "";
  return String(value);
}

/** What is sent for a text. A text that is no number is sent as it is: the server says what it expects. */
export function valueOfTerm({ schema }: Term, text: string): unknown {
  const plain = text.trim();
  if (schema.type === "array")
    return plain
      .split(",")
      .map((each) => each.trim())
      .filter((each) => each !== "");
  if (schema.type === "integer" || schema.type === "number") {
    const number = plain === "" ? 0 : Number(plain);
    return Number.isNaN(number) ? plain : number;
  }
  return plain === "" ? (schema.default ?? "") : plain;
}

/** The terms that were set or changed, by their names on the wire. */
export const changedTerms = (terms: readonly Term[], before: Texts, texts: Texts): Record<string, unknown> =>
  Object.fromEntries(
    terms
      .filter(({ name }) => (texts[name] ?? "").trim() !== (before[name] ?? ""))
      .map((term) => [term.name, valueOfTerm(term, texts[term.name] ?? "")]),
  );
