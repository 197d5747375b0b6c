// Serves bulk files: authorization, preconditions, and byte ranges.
import { Readable } from "node:stream";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { BulkFile, BulkFiles } from "../../bulk/files.ts";
import type { Resource } from "../../core/catalog/resource.ts";
import { bulkFileName, bulkFormatNames, bulkFormats } from "../../core/output/bulk.ts";
import { problem } from "../../core/problem.ts";
import type { bulkEndpoints } from "../../endpoints/bulk.ts";
import type { Store } from "../../store/store.ts";
import type { Route } from "../observe/access-log.ts";
import type { Authenticate } from "../request/auth.ts";
import { matchesTag } from "../request/negotiate.ts";
import { requireScope } from "../request/require-scope.ts";
import { ProblemError } from "../response/problem-error.ts";
import type { Handlers } from "../routes/endpoints.ts";
import { rangeOf } from "./range.ts";

export type BulkDeps = {
  readonly catalog: readonly Resource[];
  readonly store: Store;
  readonly authenticate: Authenticate;
  readonly gate: () => Promise<void>;
  /** Undefined: this server generates none. */
  readonly bulk: BulkFiles | undefined;
};

export function bulkHandlers(deps: BulkDeps): Handlers<ReturnType<typeof bulkEndpoints>["endpoints"]> {
  const files = new Map(
    deps.catalog.flatMap((resource) => {
      const route: Route = { use: "bulk", resource: resource.name };
      return bulkFormatNames.map((format) => [bulkFileName(resource, format), { resource, format, route }] as const);
    }),
  );
  return {
    readBulk: async (request, reply) => {
      await deps.gate();
      const { file: name = "" } = request.params as { file?: string };
      const known = files.get(name);
      if (known === undefined)
        throw new ProblemError(
          problem("request.path", `No bulk file has this name; expected one of ${[...files.keys()].join(", ")}.`),
        );
      const { resource, format, route } = known;
      request.exchange.route = route;
      await requireScope(request, deps, "bulk", { resource, format: "any" });
      if (deps.bulk === undefined)
        throw new ProblemError(problem("server.unavailable", "This server generates no bulk files."));
      const file = await deps.bulk.get(resource, format);
      reply.headers({
        "content-type": bulkFormats[format].contentType,
        "content-disposition": `attachment; filename="${name}"`,
        "cache-control": "private, no-cache",
        "accept-ranges": "bytes",
        "last-modified": file.modified.toUTCString(),
        etag: file.tag,
      });
      return send(request, reply, file);
    },
  };
}

async function send({ headers, method }: FastifyRequest, reply: FastifyReply, file: BulkFile): Promise<FastifyReply> {
  const { handle, size } = file;
  const range = method === "GET" && isForThis(headers["if-range"], file) ? rangeOf(headers.range, size) : undefined;
  const isUnmodified = isKnown(headers, file);
  if (isUnmodified || range === "none" || method === "HEAD") {
    await handle.close();
    if (isUnmodified) return reply.code(304).send();
    // The framework would overwrite the length if there were no stream to discard.
    if (range !== "none") return reply.header("content-length", size).send(Readable.from([]));
    const outside = { headers: { "content-range": `bytes */${size}` } };
    throw new ProblemError(problem("request.range", `The file has ${size} bytes.`, outside));
  }
  const { start, end } = range ?? { start: 0, end: size - 1 };
  if (range !== undefined) reply.code(206).header("content-range", `bytes ${start}-${end}/${size}`);
  reply.header("content-length", end - start + 1);
  // Closes the file, also when the client leaves.
  return reply.send(handle.createReadStream({ start, end }));
}

/** Whether the client has this file. A date counts only without ETags (RFC 9110), and only the one that was sent. */
function isKnown(headers: FastifyRequest["headers"], { tag, modified }: BulkFile): boolean {
  const { "if-none-match": tags, "if-modified-since": date } = headers;
  return tags === undefined ? date === modified.toUTCString() : matchesTag(tags, tag);
}

/** Whether a range of what the client has a part of is one of this file. */
function isForThis(condition: string | string[] | undefined, { tag, modified }: BulkFile): boolean {
  if (condition === undefined) return true;
  return condition === tag || condition === modified.toUTCString();
}
