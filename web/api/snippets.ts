// A request as a code snippet. It contains a placeholder instead of the key.
import { type ApiRequest, urlOf } from "./request.ts";

export type Language = "URL" | "curl" | "TypeScript" | "Python";
export const languages: readonly Language[] = ["URL", "curl", "TypeScript", "Python"];

const placeholder = "YOUR_KEY";

export function snippet(language: Language, request: ApiRequest, origin: string): string {
  const url = `${origin}${urlOf(request)}`;
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
        ...(hasBody ? ["-H 'Content-Type: application/json'", `-d '${shellQuoted(json)}'`] : []),
        `'${shellQuoted(url)}'`,
      ].join(" ");
    case "TypeScript":
      return `const response = await fetch(${JSON.stringify(url)}, {
${method === "GET" ? "" : `  method: ${JSON.stringify(method)},\n`}  headers: { authorization: "token ${placeholder}"${hasBody ? ', "content-type": "application/json"' : ""} },
${hasBody ? `  body: JSON.stringify(${json}),\n` : ""}});
if (!response.ok) throw new Error(await response.text());
const data = await response.json();`;
    case "Python":
      return `import requests

response = requests.${method.toLowerCase()}(
    ${JSON.stringify(url)},
    headers={"Authorization": "token ${placeholder}"},
${hasBody ? `    json=${pythonLiteral(body)},\n` : ""})
response.raise_for_status()
data = response.json()`;
  }
}

/** The admin API accepts the key only in the header. */
const needsHeader = ({ path }: ApiRequest): boolean => path.startsWith("/admin/");

const shellQuoted = (text: string): string => text.replaceAll("'", "'\\''");

function pythonLiteral(value: unknown): string {
  if (value === null || value === undefined) return "None";
  if (typeof value === "boolean") return value ? "True" : "False";
  if (Array.isArray(value)) return `[${value.map(pythonLiteral).join(", ")}]`;
  if (typeof value !== "object") return JSON.stringify(value);
  return `{${Object.entries(value)
    .map(([name, each]) => `${JSON.stringify(name)}: ${pythonLiteral(each)}`)
    .join(", ")}}`;
}
