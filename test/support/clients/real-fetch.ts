// A GET over a real connection: injected requests have none, so that a response written as its client reads never ends.
import { once } from "node:events";
import { get, type IncomingMessage } from "node:http";
import type { Api } from "./api.ts";

export type RealResponse = {
  readonly status: number | undefined;
  readonly headers: IncomingMessage["headers"];
  readonly bytes: Buffer;
  readonly text: string;
};

/** A response whose body isn't read yet. */
export async function openResponse(
  api: Api,
  path: string,
  headers: Record<string, string> = {},
): Promise<IncomingMessage> {
  const options = { port: await api.port(), path, agent: false } as const;
  const sent = get({ ...options, headers: { authorization: `Bearer ${api.token}`, ...headers } });
  const [response] = (await once(sent, "response")) as [IncomingMessage];
  response.pause();
  return response;
}

export async function bodyOf(response: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of response) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

export async function realFetch(api: Api, path: string, headers: Record<string, string> = {}): Promise<RealResponse> {
  const response = await openResponse(api, path, headers);
  const bytes = await bodyOf(response);
  return { status: response.statusCode, headers: response.headers, bytes, text: bytes.toString() };
}
