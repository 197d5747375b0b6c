// Keys over HTTP: all of them, one by its name, making, changing, replacing, revoking. For keys with the scope `admin`.
import type { FastifyInstance, FastifyReply, FastifyRequest, onSendAsyncHookHandler } from "fastify";
import { keyPath, keysPath, rotatePath } from "../../core/administering.ts";
import type { Resource } from "../../core/catalog/resource.ts";
import type { Problem } from "../../core/problem.ts";
import { type Given, type KeyBook, keyBook, type Made } from "../../keys/key-store.ts";
import { offerOf } from "../../keys/terms.ts";
import type { Store } from "../../store/store.ts";
import { nameIgnored, refuse } from "../headers/ignored-parameters.ts";
import type { Route } from "../observe/access-log.ts";
import type { Authenticate } from "../request/auth.ts";
import { jsonBody } from "../request/json-body.ts";
import { granted } from "../request/require-scope.ts";
import { contentTypes } from "../response/page-body.ts";
import { ProblemError } from "../response/problem-error.ts";

export type KeyRoutes = {
  readonly catalog: readonly Resource[];
  readonly store: Store;
  readonly authenticate: Authenticate;
  /** Throws while requests can't be answered. */
  readonly gate: () => Promise<void>;
  readonly onSend: onSendAsyncHookHandler;
  /** Unix seconds. */
  readonly now: () => number;
};

type Answer = { readonly status?: number; readonly body: object };
type Handler = (book: KeyBook, request: FastifyRequest, name: string) => Promise<Answer>;

export function keyRoutes(app: FastifyInstance, deps: KeyRoutes): void {
  const book = keyBook(deps.store, offerOf(deps.catalog), deps.now);
  const route: Route = { use: "admin", resource: "" };
  const serve = (method: "GET" | "POST" | "PATCH" | "DELETE", url: string, handler: Handler) =>
    app.route({
      method: method === "GET" ? ["GET", "HEAD"] : method,
      url,
      config: { route },
      onRequest: deps.gate,
      onSend: deps.onSend,
      handler: async (request, reply) => {
        const { query, mistakes } = await granted(request, deps, "admin");
        refuse(mistakes);
        nameIgnored(reply, [...query.keys()]);
        const { name = "" } = request.params as { name?: string };
        return send(reply, await handler(book, request, name));
      },
    });
  // A body is read by its handler, after the key.
  app.addHttpMethod("PATCH", { hasBody: false, overrideExisting: true });
  serve("GET", keysPath, async () => ({ body: { keys: await book.list() } }));
  serve("POST", keysPath, async (_, request) => shown(good(await book.create(await bodyOf(request)))));
  serve("GET", keyPath(":name"), async (_, _request, name) => ({ body: good(await book.find(name)) }));
  serve("PATCH", keyPath(":name"), async (_, request, name) => ({
    body: good(await book.update(name, await bodyOf(request))),
  }));
  serve("DELETE", keyPath(":name"), async (_, _request, name) => ({ body: good(await book.revoke(name)) }));
  serve("POST", rotatePath(":name"), async (_, request, name) =>
    shown(good(await book.rotate(name, await bodyOf(request)))),
  );
}

/** The only answer that a key ever stands in. */
function shown({ entry, key }: Made): Answer {
  const { name, ...rest } = entry;
  return { status: 201, body: { name, key, ...rest } };
}

function good<T extends object>(outcome: T | { readonly problem: Problem }): T {
  if ("problem" in outcome) throw new ProblemError((outcome as { problem: Problem }).problem);
  return outcome as T;
}

async function bodyOf(request: FastifyRequest): Promise<Given> {
  const read = await jsonBody(request.raw);
  if ("problem" in read) throw new ProblemError(read.problem);
  return read.members;
}

const send = (reply: FastifyReply, { status = 200, body }: Answer): FastifyReply =>
  reply.code(status).header("cache-control", "no-store").type(contentTypes.json).send(JSON.stringify(body));
