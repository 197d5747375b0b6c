// `check`: whether a server conforms to the interface, as seen from outside.
import { writeFileSync } from "node:fs";
import { UsageError } from "../../config.ts";
import { findingsOf, type Report } from "../../conformance/report.ts";
import { checkNames, checkServer, defaultBudget } from "../../conformance/run.ts";
import { type Profile, profiles } from "../../conformance/target.ts";
import type { Resource } from "../../core/catalog/resource.ts";
import { catalog } from "../../resources/catalog.ts";
import { compatTable } from "../../resources/compat/compat.ts";
import { type Command, print, printError } from "../command.ts";
import { remoteOf, remoteOptions } from "../shared/remote.ts";
import { junitReport } from "./junit-report.ts";
import { textReport } from "./text-report.ts";

const formats: Readonly<Record<string, (report: Report) => string>> = {
  text: textReport,
  json: (report) => JSON.stringify(report, null, 2),
  junit: junitReport,
};

const byEnding: Readonly<Record<string, string>> = { json: "json", xml: "junit", txt: "text" };

export const checkCommand: Command = {
  maxArgs: 1,
  settings: [],
  options: {
    ...remoteOptions,
    profile: {
      value: profiles.join("|"),
      help: "seed: the interface to the letter; compat: as clients of other implementations expect [seed]",
    },
    list: { value: "NAME", help: "check only this list, such as ratings; may be repeated", list: true },
    only: { value: "NAME", help: "run only this check, such as filters; may be repeated", list: true },
    budget: { value: "N", help: `maximum number of requests [${defaultBudget}]` },
    format: { value: Object.keys(formats).join("|"), help: "form of the report [text]" },
    output: {
      value: "FILE",
      help: "write the report to a file, whose extension (.json, .xml for JUnit, .txt) selects the form; text is still printed",
    },
  },
  run: async (invocation) => {
    const { options } = invocation;
    const { base, token } = remoteOf(invocation);
    const profile = profileOf(options.profile as string | undefined);
    const lists = listsOf(options.list as readonly string[] | undefined);
    const only = onlyOf(options.only as readonly string[] | undefined);
    const budget = budgetOf(options.budget as string | undefined);
    const output = options.output as string | undefined;
    const format = formatOf(options.format as string | undefined, output);
    const onList = (name: string) => {
      if (process.stderr.isTTY) printError(`checking ${name}…`);
    };
    const report = await checkServer({ base, token, profile, lists, only, compatTable, budget, onList });
    const text = formats[format]?.(report) ?? "";
    // Printed first: the file may not be writable.
    print(output === undefined ? text : textReport(report));
    if (output !== undefined) writeFileSync(output, `${text}\n`);
    return findingsOf(report).length > 0 ? 1 : 0;
  },
};

function profileOf(name = "seed"): Profile {
  const found = profiles.find((each) => each === name);
  if (found !== undefined) return found;
  throw new UsageError(`--profile: expected ${profiles.join(" or ")}, got "${name}"`);
}

const listsOf = (names: readonly string[] = []): readonly Resource[] =>
  names.length === 0 ? catalog : [...new Set(names)].map(listOf);

function listOf(name: string): Resource {
  const found = catalog.find((each) => each.name === name);
  if (found !== undefined) return found;
  throw new UsageError(`--list: expected one of ${catalog.map((each) => each.name).join(", ")}, got "${name}"`);
}

function onlyOf(names: readonly string[] | undefined): readonly string[] | undefined {
  const unknown = names?.find((name) => !checkNames.includes(name));
  if (unknown === undefined) return names;
  throw new UsageError(`--only: expected one of ${checkNames.join(", ")}, got "${unknown}"`);
}

function budgetOf(text = String(defaultBudget)): number {
  if (/^[1-9]\d{0,6}$/.test(text)) return Number(text);
  throw new UsageError(`--budget: expected a number of requests from 1 to 9999999, got "${text}"`);
}

function formatOf(format: string | undefined, output: string | undefined): string {
  const ending = /\.(\w+)$/.exec(output ?? "")?.[1] ?? "";
  const found = format ?? (output === undefined ? "text" : byEnding[ending]);
  if (found !== undefined && Object.hasOwn(formats, found)) return found;
  if (format !== undefined)
    throw new UsageError(`--format: expected one of ${Object.keys(formats).join(", ")}, got "${format}"`);
  throw new UsageError(`--output: expected a name ending in .json, .xml, or .txt, or --format; got "${output}"`);
}
