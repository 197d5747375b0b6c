// A request as a code snippet. It contains a placeholder instead of the key.
import { shellQuoted } from "../format/shell.ts";
import { type ApiRequest, urlOf } from "./request.ts";

export type Language = "URL" | "curl" | "JavaScript" | "Python";
export const languages: readonly Language[] = ["URL", "curl", "JavaScript", "Python"];

const placeholder = "YOUR_KEY";

export function snippet(language: Language, request: ApiRequest, origin: string): string {
  // curl would expand brackets.
  const url = `${origin}${urlOf(request)}`.replaceAll("[", "%5B").replaceAll("]", "%5D");
  const { method = "GET", body } = request;
  const hasBody = body !== undefined;
  const json = JSON.stringify(body);
  switch (language) {
    case "URL":
      return needsHeader(request) ? url : `${url}${request.params.length === 0 ? "?" : "&"}token=${placeholder}`;
    case "curl":
      return [
        "curl",
        ...(method === "GET" ? [] : [`-X ${method}`]),
        `-H 'Authorization: token ${placeholder}'`,
        ...(hasBody ? ["-H 'Content-Type: application/json'", `-d ${shellQuoted(json)}`] : []),
        shellQuoted(url),
      ].join(" ");
    case "JavaScript":
      return `const response = await fetch(${JSON.stringify(url)}, {
${method === "GET" ? "" : `  method: ${JSON.stringify(method)},\n`}  headers: { authorization: "token ${placeholder}"${hasBody ? ', "content-type": "application/json"' : ""} },
${hasBody ? `  body: JSON.stringify(${json}),\n` : ""}});
if (!response.ok) throw new Error(await response.text());${method === "DELETE" ? "" : "\nconst data = await response.json();"}`;
    case "Python":
      return `import json
from urllib.request import Request, urlopen

request = Request(
    ${JSON.stringify(url)},
${method === "GET" ? "" : `    method=${JSON.stringify(method)},\n`}    headers={"Authorization": "token ${placeholder}"${hasBody ? ', "Content-Type": "application/json"' : ""}},
${hasBody ? `    data=json.dumps(${pythonLiteral(body)}).encode(),\n` : ""})
with urlopen(request) as response:
    ${method === "DELETE" ? "response.read()" : "data = json.load(response)"}`;
  }
}

/** The admin API accepts the key only in the header. */
const needsHeader = ({ path }: ApiRequest): boolean => path.startsWith("/admin/");

function pythonLiteral(value: unknown): string {
  if (value === null || value === undefined) return "None";
  if (typeof value === "boolean") return value ? "True" : "False";
  if (Array.isArray(value)) return `[${value.map(pythonLiteral).join(", ")}]`;
  if (typeof value !== "object") return JSON.stringify(value);
  return `{${Object.entries(value)
    .map(([name, each]) => `${JSON.stringify(name)}: ${pythonLiteral(each)}`)
    .join(", ")}}`;
}
