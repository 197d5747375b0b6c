// The Dockerfile and the commands of docs/operations/deploy.md, followed as written but without a container, give a
// server with its page, its reference, and its lists. Long: they install and build from scratch, which needs npm's
// registry or cache.
import assert from "node:assert/strict";
import { test } from "node:test";
import { blocks } from "../docs/page-commands.ts";
import { buildImage, within } from "./dockerfile.ts";
import { attempt, expectDeployed, follow, freshShell, serve } from "./following.ts";

const container = blocks("docs/operations/deploy.md", "sh")[2] ?? "";

test("the container's steps deploy a server with its page, and its health check passes", async () => {
  const shell = freshShell();
  const { root, env, entrypoint, healthCheck } = await buildImage(shell);
  const [, ...args] = within(root, container.replaceAll("\\\n", " ")).match(/^docker run .* bellwire (.*)$/m) ?? [];
  const createKey = within(root, container).match(/^docker exec bellwire (.*)$/m)?.[1] ?? "";
  const place = { cwd: root, env: { ...shell, ...env, BELLWIRE_PORT: "0", BELLWIRE_HOST: "127.0.0.1" } };
  const start = `exec ${within(root, [...entrypoint, ...args].join(" "))}`;
  await expectDeployed(createKey, start, place);

  const server = await serve(start, place);
  const port = new URL(server.origin).port;
  const check = healthCheck.map((word) => `'${word}'`).join(" ");
  await follow(check, { cwd: root, env: { ...place.env, BELLWIRE_PORT: port } });
  await server.stop();
  assert.equal((await attempt(check, { cwd: root, env: { ...place.env, BELLWIRE_PORT: port } })).status, 1);
});
