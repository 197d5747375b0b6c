// Downloads a list in one of its other formats, with the key in a header.
import type { Listing } from "../../api/document.ts";
import { type Failure, failureOf, missingKey, unreachable } from "../../api/failure.ts";
import { keyState } from "../../api/key.ts";
import { type ApiRequest, urlOf, withParams } from "../../api/request.ts";

/** In the order in which they are offered. */
const labels: Readonly<Record<string, string>> = {
  csv: "CSV",
  ics: "iCalendar",
  atom: "Atom",
  ndjson: "NDJSON",
  json: "JSON",
  xml: "XML",
};

export type Format = { readonly name: string; readonly label: string };

/** The formats that the document lists. */
export function formatsOf({ parameters }: Listing): Format[] {
  const offered = parameters.find(({ name }) => name === "output")?.schema.enum ?? [];
  const known = Object.keys(labels).filter((name) => offered.includes(name));
  return [...known, ...offered.filter((name) => !known.includes(name))].map((name) => ({
    name,
    label: labels[name] ?? name.toUpperCase(),
  }));
}

/** The request for a list in another format, in the largest pages. */
export function inFormat(request: ApiRequest, { size, parameters }: Listing, format: string): ApiRequest {
  const largest = parameters.find(({ name }) => name === size)?.schema.maximum ?? 100;
  return withParams(request, { page: undefined, [size]: String(largest), output: format });
}

/** Formats whose pages can be joined, with the number of lines that each page repeats. */
const repeatedLines: Readonly<Record<string, number>> = { csv: 1, ndjson: 0 };

const maxPages = 100;

export type Download = { readonly blob: Blob; readonly isComplete: boolean };

/** All pages of the formats that can be joined, else the first one. */
export async function download(
  request: ApiRequest,
  format: string,
  onPage: (pages: number) => void,
): Promise<Download | { readonly failure: Failure }> {
  const { key } = keyState.get();
  if (key === undefined) return { failure: missingKey };
  const repeated = repeatedLines[format];
  const texts: string[] = [];
  let url: string | undefined = urlOf(request);
  let type = "";
  while (url !== undefined && texts.length < (repeated === undefined ? 1 : maxPages)) {
    const response: Response | undefined = await fetch(url, { headers: { authorization: `token ${key}` } }).catch(
      () => undefined,
    );
    if (response === undefined) return { failure: unreachable };
    if (!response.ok) return { failure: await failureOf(response) };
    type = response.headers.get("content-type") ?? "";
    const text = await response.text();
    texts.push(texts.length === 0 || repeated === undefined ? text : withoutLines(text, repeated));
    url = /<([^>]+)>;\s*rel="?next"?/.exec(response.headers.get("link") ?? "")?.[1];
    onPage(texts.length);
  }
  return { blob: new Blob(texts, { type }), isComplete: url === undefined };
}

const withoutLines = (text: string, count: number): string => {
  let at = 0;
  for (let line = 0; line < count; line++) at = text.indexOf("\n", at) + 1;
  return text.slice(at);
};

/** Saves a file as if the user had clicked a link to it. */
export function saveFile(blob: Blob, name: string): void {
  const url = URL.createObjectURL(blob);
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}
