// Every record has the fields and the forms of values that the reference specifies.
import type { Field } from "../../core/catalog/field.ts";
import type { WireRecord } from "../../core/record/row.ts";
import { canonical, shown } from "../compare.ts";
import type { Context } from "../context.ts";
import { emptyBody, recordsIn } from "../target.ts";
import { widest } from "../universe.ts";
import { parsed } from "../values.ts";
import type { Check } from "./check.ts";

export const recordsCheck: Check = {
  name: "records",
  title: "records have the fields and the forms of values that the reference specifies",
  run: async (context) => {
    const { target, universe } = context;
    const selected = parsed(target, universe.zone, ...widest(target))?.view.selectedFields;
    const reported = new Set<string>();
    for (const { request, json, text } of universe.pages) {
      checkBody(context, request, text);
      for (const record of recordsIn(target.envelope, json) ?? []) {
        for (const { field, message, received } of problemsOf(context, record, selected)) {
          // The same in every record is one finding.
          if (reported.has(`${field} ${message}`)) continue;
          reported.add(`${field} ${message}`);
          context.report(request, `${field} of record ${canonical(record.id)}: ${message}`, { received });
        }
      }
    }
  },
};

type FieldProblem = { readonly field: string; readonly message: string; readonly received: string };

function problemsOf(context: Context, record: WireRecord, selected: readonly string[] | undefined): FieldProblem[] {
  const { resource } = context.target;
  const problems: FieldProblem[] = [];
  for (const [name, field] of Object.entries(resource.fields)) {
    const isExpected = selected === undefined ? field.shown === "always" : selected.includes(name);
    const problem = record[name] === undefined ? missing(field, isExpected) : invalid(context, field, record[name]);
    if (problem !== undefined) problems.push({ field: name, message: problem, received: shown(record[name]) });
  }
  const unknown = context.isStrict ? Object.keys(record).filter((name) => resource.fields[name] === undefined) : [];
  for (const name of unknown) problems.push({ field: name, message: "no such field", received: shown(record[name]) });
  return problems;
}

const missing = (field: Field, isExpected: boolean): string | undefined =>
  isExpected && !field.optional ? "missing" : undefined;

function invalid({ universe: { zone } }: Context, field: Field, value: unknown): string | undefined {
  if (value === null) return "null instead of an empty value";
  if (field.shown === "never") return "not part of responses";
  let problem: string | undefined;
  const stored = field.validate(value, (expected, _received, at = "") => {
    problem ??= `${at === "" ? "" : `${at}: `}expected ${expected}`;
  });
  if (problem !== undefined) return problem;
  const emitted = field.emit(stored, { zone, cusip: typeof value === "string" ? "string" : "integer" });
  return canonical(emitted) === canonical(value) ? undefined : `expected the form ${shown(emitted)}`;
}

function checkBody(context: Context, request: { readonly url: string }, text: string): void {
  const { target, isStrict } = context;
  if (text !== text.trim())
    context.report(request, "white space around the body", { received: shown(text.slice(-20)) });
  const records = text.startsWith("[") && text.replace(/\s/g, "") === "[]";
  if (isStrict && records && text !== emptyBody(target.envelope))
    context.report(request, "an empty list is not exactly []", { received: shown(text) });
}
