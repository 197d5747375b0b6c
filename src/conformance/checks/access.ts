// Keys, methods, and paths: who gets records, and what everyone else gets.
import { shown } from "../compare.ts";
import type { Context } from "../context.ts";
import type { Exchange } from "../session.ts";
import { isObject, urlOf } from "../target.ts";
import type { Check } from "./check.ts";

export const accessCheck: Check = {
  name: "access",
  title: "records are returned only for a valid key, and errors are problem documents",
  run: async (context) => {
    const { target } = context;
    const [path, invalid] = [target.path, urlOf(target.path, "page=x")];
    await expectError(context, await context.send({ url: path, key: "none" }), 401, "a request without a key");
    await expectError(context, await context.send({ url: path, key: "unknown" }), 401, "a request with an unknown key");
    // Nothing about parameters is revealed without a key.
    await expectError(
      context,
      await context.send({ url: invalid, key: "none" }),
      401,
      "an invalid request without a key",
    );
    await expectError(context, await context.send({ url: invalid }), 400, "an invalid request");
    if (!context.isStrict) return;
    const header = await context.send({ url: path, key: "header" });
    context.expectStatus(header, 200, "a key in the Authorization header is rejected");
    await expectError(context, await context.send({ url: otherVersion(path) }), 404, "a list at another version");
    const post = await context.send({ url: path, method: "POST" });
    await expectError(context, post, 405, "a method that a list doesn't have");
    if (post.status === 405 && !/\bGET\b/.test(post.headers.get("allow") ?? ""))
      context.report(post.request, "a 405 without GET in Allow", { received: post.headers.get("allow") ?? "nothing" });
    await checkHead(context);
  },
};

const otherVersion = (path: string): string => path.replace(/\/v[\d.]+\//, "/v9/");

/** Error documents are an addition to the interface; other implementations have others. */
async function expectError(context: Context, exchange: Exchange, status: number, what: string): Promise<void> {
  if (!context.expectStatus(exchange, status, what) || !context.isStrict) return;
  const { request, headers, json, text } = exchange;
  const type = headers.get("content-type") ?? "nothing";
  if (!type.startsWith("application/problem+json"))
    return context.report(request, "an error isn't a problem document", {
      expected: "application/problem+json",
      received: type,
    });
  const members = ["type", "title", "status", "detail", "code", "errors", "request_id"];
  const missing = members.filter((name) => !isObject(json) || json[name] === undefined);
  if (missing.length > 0)
    context.report(request, `a problem document without ${missing.join(", ")}`, { received: shown(text) });
  else if (isObject(json) && json.status !== status)
    context.report(request, "the status of a problem document isn't that of the response", { received: shown(text) });
}

/** HEAD: the same headers, without the body. */
async function checkHead(context: Context): Promise<void> {
  const { path } = context.target;
  const get = await context.send({ url: path });
  const head = await context.send({ url: path, method: "HEAD" });
  if (!context.expectStatus(head, get.status, "the status of HEAD differs from that of GET")) return;
  if (head.text !== "") context.report(head.request, "the response to HEAD has a body");
  for (const name of ["content-type", "etag"])
    if (head.headers.get(name) !== get.headers.get(name))
      context.report(head.request, `${name} differs between HEAD and GET`, {
        expected: get.headers.get(name) ?? "nothing",
        received: head.headers.get(name) ?? "nothing",
      });
}
