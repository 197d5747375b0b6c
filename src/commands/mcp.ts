// `mcp`: serves the tools for AI assistants over standard input and output, on the API of a running server.
import { once } from "node:events";
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import { ApiError, type ApiResponse } from "../mcp/api.ts";
import { mcpServer } from "../mcp/server.ts";
import { toolsFor } from "../mcp/tools.ts";
import { version } from "../package.ts";
import { catalog } from "../resources/catalog.ts";
import { extensions } from "../resources/lists/extensions.ts";
import { type Command, printError } from "./command.ts";
import { type Remote, remoteOf, remoteOptions } from "./shared/remote.ts";

const timeoutMs = 60_000;

export const mcpCommand: Command = {
  maxArgs: 1,
  settings: [],
  options: remoteOptions,
  run: async (invocation) => {
    const remote = remoteOf(invocation);
    const tools = toolsFor(catalog, extensions);
    const closed = once(process.stdin, "close");
    serveStdio(() => mcpServer(tools, (url) => get(remote, url), version), {
      onerror: (error) => printError(`bellwire mcp: ${error.message}`),
    });
    await closed;
    return 0;
  },
};

async function get({ base, token }: Remote, url: string): Promise<ApiResponse> {
  try {
    const headers = { authorization: `Bearer ${token}`, accept: "application/json" };
    const response = await fetch(`${base}${url}`, { headers, signal: AbortSignal.timeout(timeoutMs) });
    return { status: response.status, body: await response.text(), link: response.headers.get("link") ?? undefined };
  } catch (error) {
    const { message, cause } = error as Error;
    throw new ApiError(`the server at ${base} can't be reached: ${(cause as Error | undefined)?.message || message}`);
  }
}
