// The one-hour baseline handler process: Fastify with schema validation, Kysely, and JSON.stringify. It looks up the
// key by its hash for each request.
import { hash } from "node:crypto";
import fastify from "fastify";
import { openDatabase } from "./database.ts";
import { newsRoute, type TopicOrder } from "./news.ts";
import { ratingsRoute } from "./ratings.ts";

const [address = "", order = "ranked"] = process.argv.slice(2);
const database = openDatabase(address);
const app = fastify({ logger: false });

app.addHook("onRequest", async (request, reply) => {
  const { token } = request.query as { token?: string };
  const key =
    token === undefined
      ? undefined
      : await database.db
          .selectFrom("api_key")
          .select("name")
          .where("hash", "=", hash("sha256", token, "hex"))
          .executeTakeFirst();
  if (key === undefined) return reply.code(401).send({ error: "unknown token" });
});
ratingsRoute(app, database);
newsRoute(app, database, order as TopicOrder);

const url = await app.listen({ host: "127.0.0.1", port: 0 });
process.stdout.write(`listening on ${url}\n`);
process.on("SIGTERM", () => process.exit(0));
