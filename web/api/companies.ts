// Companies by ticker or name.
import { recordsOf, send } from "./client.ts";
import { currentDocument } from "./document.ts";
import { get } from "./request.ts";

export type Company = { readonly ticker: string; readonly name: string; readonly exchange: string };

/** Best match first; none if the key or the server doesn't allow it. */
export async function findCompanies(text: string, signal: AbortSignal, count = 8): Promise<readonly Company[]> {
  const path = currentDocument()?.paths.listCompanies;
  if (path === undefined || text.trim() === "") return [];
  const outcome = await send(
    get(path, [
      ["search", text.trim().slice(0, 256)],
      ["pagesize", String(count)],
    ]),
    signal,
  );
  return "response" in outcome ? recordsOf<Company>(outcome.response.body) : [];
}
