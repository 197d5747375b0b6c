// Problem documents (RFC 9457): JSON, or XML for clients that accept nothing else.
import { type Problem, problems } from "../../core/problem.ts";
import { redactKeys } from "../../keys/redact.ts";
import { negotiateFormat } from "../request/negotiate.ts";
import { escapeXml } from "./formats/xml-escape.ts";

type ProblemResponse = {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
};

export function problemResponse(problem: Problem, requestId: string, accept: string | undefined): ProblemResponse {
  const { status, title } = problems[problem.code];
  const document = {
    type: `/docs/problems#${problem.code}`,
    title,
    status,
    // A key pasted into the wrong field must not be repeated.
    detail: redactKeys(problem.detail),
    code: problem.code,
    errors: (problem.errors ?? []).map(({ parameter, given, expected }) => ({
      parameter: redactKeys(parameter),
      given: redactKeys(given),
      expected,
    })),
    request_id: requestId,
  };
  const xml = onlyXml(accept);
  const { report } = problem;
  const body = xml ? problemXml(document) : JSON.stringify(report === undefined ? document : { ...document, report });
  return {
    status,
    headers: {
      "content-type": `application/problem+${xml ? "xml" : "json"}; charset=utf-8`,
      "cache-control": "no-store",
      "x-request-id": requestId,
      ...problem.headers,
    },
    body,
  };
}

/** Whether a client accepts XML but not JSON, as plain or problem media types. */
function onlyXml(accept: string | undefined): boolean {
  const plain = accept?.replace(/application\/problem\+/gi, "application/");
  return negotiateFormat(plain, ["xml"]) !== undefined && negotiateFormat(plain, ["json"]) === undefined;
}

function problemXml({
  errors,
  ...members
}: {
  errors: readonly Record<string, string>[];
  [name: string]: unknown;
}): string {
  const elements = (each: Readonly<Record<string, unknown>>): string =>
    Object.entries(each)
      .map(([name, value]) => `<${name}>${escapeXml(String(value))}</${name}>`)
      .join("");
  const list = errors.map((error) => `<i>${elements(error)}</i>`).join("");
  return `<problem xmlns="urn:ietf:rfc:7807">${elements(members)}<errors>${list}</errors></problem>`;
}
