// The report of a conformance check for people: a line for each list, and every finding with its request.
import { type CheckResult, type Finding, findingsOf, type Report } from "../../conformance/report.ts";
import { table } from "../shared/table.ts";

export function textReport(report: Report): string {
  const { url, profile, requests, seconds, results } = report;
  const findings = findingsOf(report);
  const lists = [...Map.groupBy(results, ({ list }) => list)];
  return [
    `${url}, profile ${profile}: ${requests} requests in ${seconds} s`,
    "",
    table(["LIST", "CHECKS", "REQUESTS", "RESULT"], lists.map(listRow)),
    ...skippedLines(results),
    ...findings.flatMap(findingLines),
    "",
    findings.length === 0 ? "no findings" : `${findings.length} ${findings.length === 1 ? "finding" : "findings"}`,
  ].join("\n");
}

function listRow([list, results]: readonly [string, readonly CheckResult[]]): string[] {
  const count = results.reduce((sum, { findings }) => sum + findings.length, 0);
  const requests = results.reduce((sum, each) => sum + each.requests, 0);
  const complete = results.every(({ skipped }) => skipped === undefined);
  const result = count > 0 ? `${count} findings` : complete ? "ok" : "ok, incomplete";
  return [list, String(results.length), String(requests), count === 1 ? "1 finding" : result];
}

/** Checks that weren't run, or not completely, by reason. */
const skippedLines = (results: readonly CheckResult[]): string[] =>
  [...Map.groupBy(results, ({ list, skipped }) => `${list}: ${skipped ?? ""}`)]
    .filter(([, [first]]) => first?.skipped !== undefined)
    .map(([reason, of]) => `skipped ${of.map(({ check }) => check).join(", ")} of ${reason}`);

const findingLines = ({ list, check, message, expected, received, request }: Finding): string[] => [
  "",
  `${list}, ${check}: ${message}`,
  ...(expected === undefined ? [] : [`  expected  ${expected}`]),
  ...(received === undefined ? [] : [`  received  ${received}`]),
  `  request   ${request}`,
];
