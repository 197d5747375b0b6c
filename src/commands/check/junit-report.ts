// The report of a conformance check in the XML of JUnit, which CI systems display: one test case for each check of a list.
import type { CheckResult, Finding, Report } from "../../conformance/report.ts";
import { escapeXml } from "../../http/response/formats/xml-escape.ts";

export function junitReport(report: Report): string {
  const { results, profile, seconds } = report;
  const suites = [...Map.groupBy(results, ({ list }) => list)].map(suite);
  const attributes = counts(results);
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="bellwire check ${profile}" ${attributes} time="${seconds}">`,
    ...suites,
    "</testsuites>",
  ].join("\n");
}

function suite([list, results]: readonly [string, readonly CheckResult[]]): string {
  const cases = results.map(testCase).join("\n");
  return `  <testsuite name="${escapeXml(list)}" ${counts(results)}>\n${cases}\n  </testsuite>`;
}

function testCase({ list, check, title, findings, skipped }: CheckResult): string {
  const open = `    <testcase classname="${escapeXml(list)}" name="${escapeXml(`${check}: ${title}`)}"`;
  const [first] = findings;
  if (first !== undefined) {
    const text = findings.map(findingText).join("\n\n");
    return `${open}>\n      <failure message="${escapeXml(first.message)}">${escapeXml(text)}</failure>\n    </testcase>`;
  }
  return skipped === undefined ? `${open}/>` : `${open}><skipped message="${escapeXml(skipped)}"/></testcase>`;
}

const findingText = ({ message, expected, received, request }: Finding): string =>
  [
    message,
    ...(expected === undefined ? [] : [`expected: ${expected}`]),
    ...(received === undefined ? [] : [`received: ${received}`]),
    request,
  ].join("\n");

/** A check with findings is one failure, however many there are. */
function counts(results: readonly CheckResult[]): string {
  const failed = results.filter(({ findings }) => findings.length > 0).length;
  const skipped = results.filter((each) => each.findings.length === 0 && each.skipped !== undefined).length;
  return `tests="${results.length}" failures="${failed}" skipped="${skipped}"`;
}
