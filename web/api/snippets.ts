// A request as a call that can be pasted elsewhere. The key is a placeholder: what is copied may end anywhere.
import { type ApiRequest, addressOf } from "./request.ts";

export type Language = "URL" | "curl" | "TypeScript" | "Python";
export const languages: readonly Language[] = ["URL", "curl", "TypeScript", "Python"];

const placeholder = "YOUR_KEY";

export function snippet(language: Language, request: ApiRequest, origin: string): string {
  const url = `${origin}${addressOf(request)}`;
  const { method = "GET", body } = request;
  const sends = body !== undefined;
  const json = JSON.stringify(body);
  switch (language) {
    case "URL":
      return isForHeader(request) ? url : `${url}${request.params.length === 0 ? "?" : "&"}token=${placeholder}`;
    case "curl":
      return [
        "curl",
        ...(method === "GET" ? [] : [`-X ${method}`]),
        `-H 'Authorization: token ${placeholder}'`,
        ...(sends ? ["-H 'Content-Type: application/json'", `-d '${shellQuoted(json)}'`] : []),
        `'${shellQuoted(url)}'`,
      ].join(" ");
    case "TypeScript":
      return `const response = await fetch(${JSON.stringify(url)}, {
${method === "GET" ? "" : `  method: ${JSON.stringify(method)},\n`}  headers: { authorization: "token ${placeholder}"${sends ? ', "content-type": "application/json"' : ""} },
${sends ? `  body: JSON.stringify(${json}),\n` : ""}});
if (!response.ok) throw new Error(await response.text());
const answer = await response.json();`;
    case "Python":
      return `import requests

response = requests.${method.toLowerCase()}(
    ${JSON.stringify(url)},
    headers={"Authorization": "token ${placeholder}"},
${sends ? `    json=${pythonLiteral(body)},\n` : ""})
response.raise_for_status()
answer = response.json()`;
  }
}

/** Administration takes the key from the header alone. */
const isForHeader = ({ path }: ApiRequest): boolean => path.startsWith("/admin/");

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
