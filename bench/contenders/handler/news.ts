// The handler's news endpoint: parameters to a query, rows to objects, JSON or XML.
import type { FastifyInstance } from "fastify";
import { sql } from "kysely";
import type { Database } from "./database.ts";
import type { NewsRow } from "./tables.ts";
import { xmlOf } from "./xml.ts";

const day = { type: "string", pattern: "^\\d{4}-\\d{2}-\\d{2}$" } as const;

const querystring = {
  type: "object",
  properties: {
    page: { type: "integer", minimum: 0, maximum: 100_000, default: 0 },
    pageSize: { type: "integer", minimum: 1, maximum: 100, default: 15 },
    displayOutput: { type: "string", enum: ["headline", "abstract", "full"], default: "headline" },
    date: day,
    dateFrom: day,
    dateTo: day,
    tickers: { type: "string" },
    topics: { type: "string" },
  },
} as const;

type Query = {
  page: number;
  pageSize: number;
  displayOutput: "headline" | "abstract" | "full";
  date?: string;
  dateFrom?: string;
  dateTo?: string;
  tickers?: string;
  topics?: string;
};

const light = (
  ["author", "channels", "created", "id", "image", "stocks", "tags", "title", "updated", "url"] as const
).map((name) => `news.${name}` as const);

/** Ranks by field with weights, or not at all. */
export type TopicOrder = "ranked" | "newest";

export function newsRoute(app: FastifyInstance, database: Database, order: TopicOrder): void {
  app.get<{ Querystring: Query }>("/api/v2/news", { schema: { querystring } }, async (request, reply) => {
    const query = request.query;
    const full = query.displayOutput === "full";
    const from = query.date ?? query.dateFrom;
    const to = query.date ?? query.dateTo;
    const { db } = database;

    let select = db
      .selectFrom("news")
      .select(light)
      .$if(full, (each) => each.select("news.body"))
      .$if(full || query.displayOutput === "abstract", (each) => each.select("news.teaser"));
    if (from !== undefined) select = select.where("news.created_at", ">=", startOf(from, 0));
    if (to !== undefined) select = select.where("news.created_at", "<", startOf(to, 1));
    if (query.tickers !== undefined) {
      const tickers = query.tickers.split(",").map((ticker) => ticker.trim().toUpperCase());
      select = select.where("news.id", "in", db.selectFrom("news_ticker").select("id").where("ticker", "in", tickers));
    }
    const topics = query.topics?.split(",").map((topic) => topic.trim().replaceAll('"', ""));
    if (topics === undefined) select = select.orderBy("news.created_at", "desc").orderBy("news.id", "desc");
    else if (database.isPostgres) {
      const wanted = sql.join(
        topics.map((topic) => sql`phraseto_tsquery('simple', ${topic})`),
        sql` || `,
      );
      select = select.where(sql<boolean>`search @@ (${wanted})`);
      if (order === "ranked") select = select.orderBy(sql`ts_rank(search, (${wanted}))`, "desc");
      select = select.orderBy("news.created_at", "desc").orderBy("news.id", "desc");
    } else {
      // Rows of the full-text table have the ids of the items, and ids grow with time.
      const match = topics.map((topic) => `"${topic}"`).join(" OR ");
      select = select
        .innerJoin(sql`news_fts`.as("found"), (join) => join.on(sql<boolean>`found.rowid = news.id`))
        .where(sql<boolean>`found.news_fts match ${match}`)
        .$if(order === "ranked", (each) => each.where(sql<boolean>`found.rank match 'bm25(10.0, 5.0, 1.0)'`))
        .orderBy(order === "ranked" ? sql`found.rank` : sql`found.rowid desc`);
    }
    const rows = await select
      .limit(query.pageSize)
      .offset(query.page * query.pageSize)
      .execute();

    const items = rows.map((row) => itemOf(row));
    if (request.headers.accept?.includes("application/xml")) {
      return reply.type("application/xml; charset=utf-8").send(xmlOf("result", items));
    }
    return items;
  });
}

type Selected = Omit<NewsRow, "body" | "teaser" | "created_at" | "updated_at"> &
  Partial<Pick<NewsRow, "body" | "teaser">>;

const itemOf = (row: Selected) => ({
  author: row.author,
  body: row.body ?? "",
  channels: JSON.parse(row.channels),
  created: row.created,
  id: row.id,
  image: JSON.parse(row.image),
  stocks: JSON.parse(row.stocks),
  tags: JSON.parse(row.tags),
  teaser: row.teaser ?? "",
  title: row.title,
  updated: row.updated,
  url: row.url,
});

/** The first second of a day in New York, or of the day that follows it. */
function startOf(day: string, later: number): number {
  const start = Temporal.PlainDate.from(day).add({ days: later }).toZonedDateTime("America/New_York");
  return start.epochMilliseconds / 1000;
}
