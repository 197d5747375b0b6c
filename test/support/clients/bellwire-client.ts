// The package's own client, connected to a service under test.
import { Bellwire, type Options } from "../../../client/index.ts";
import type { Api } from "./api.ts";

export async function connect(api: Api, options: Partial<Options> = {}): Promise<Bellwire> {
  return new Bellwire({ url: `http://127.0.0.1:${await api.port()}`, token: api.token, ...options });
}

/** Records every URL and response, and can respond itself. */
export function recordingFetch(respond: (url: string) => Response | undefined = () => undefined) {
  const responses: { url: string; status: number; ignored: string | null }[] = [];
  const recording: typeof fetch = async (input, init) => {
    const response = respond(String(input)) ?? (await fetch(input, init));
    const { status, headers } = response;
    responses.push({ url: String(input), status, ignored: headers.get("x-ignored-parameters") });
    return response;
  };
  return { fetch: recording, responses };
}

export const ratings = (from: number, count: number) =>
  Array.from({ length: count }, (_, index) => ({
    id: String(from + index).padStart(24, "0"),
    date: "2026-01-15",
    time: "09:30:00",
    ticker: (from + index) % 2 === 0 ? "AAPL" : "F",
    pt_prior: "100",
    pt_current: "110",
  }));
