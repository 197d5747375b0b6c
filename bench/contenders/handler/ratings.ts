// The handler's ratings endpoint: parameters to a query, rows to objects.
import type { FastifyInstance } from "fastify";
import { standardRatings } from "../../../src/resources/simplify.ts";
import type { Database } from "./database.ts";
import { type RatingRow, ratingsColumns } from "./tables.ts";

const day = { type: "string", pattern: "^\\d{4}-\\d{2}-\\d{2}$" } as const;

const querystring = {
  type: "object",
  properties: {
    page: { type: "integer", minimum: 0, maximum: 100_000, default: 0 },
    pagesize: { type: "integer", minimum: 1, maximum: 1000, default: 50 },
    fields: { type: "string" },
    simplify: { type: "boolean", default: false },
    "parameters[date]": day,
    "parameters[date_from]": day,
    "parameters[date_to]": day,
    "parameters[importance]": { type: "integer", minimum: 0, maximum: 5 },
    "parameters[tickers]": { type: "string" },
    "parameters[updated]": { type: "integer", minimum: 0 },
  },
} as const;

type Query = {
  page: number;
  pagesize: number;
  fields?: string;
  simplify: boolean;
  "parameters[date]"?: string;
  "parameters[date_from]"?: string;
  "parameters[date_to]"?: string;
  "parameters[importance]"?: number;
  "parameters[tickers]"?: string;
  "parameters[updated]"?: number;
};

type Column = keyof RatingRow;

const columns = Object.keys(ratingsColumns).sort() as Column[];
const shown = columns.filter((column) => column !== "ratings_accuracy");

const standard = new Map(
  Object.entries(standardRatings).flatMap(([word, terms]) => terms.map((term) => [term.toLowerCase(), word] as const)),
);
const simplified = (rating: string): string => standard.get(rating.toLowerCase()) ?? rating;

export function ratingsRoute(app: FastifyInstance, { db }: Database): void {
  app.get<{ Querystring: Query }>("/api/v2.1/calendar/ratings", { schema: { querystring } }, async (request, reply) => {
    const query = request.query;
    const fields = query.fields?.split(",");
    const strange = fields?.find((field) => !columns.includes(field as Column) && field !== "pt_pct_change");
    if (strange !== undefined) return reply.code(400).send({ error: `unknown field ${strange}` });
    const selected = fields === undefined ? shown : columns.filter((column) => fields.includes(column));
    const change = fields?.includes("pt_pct_change") ?? false;
    const needed = change ? [...new Set<Column>([...selected, "pt_current", "pt_prior"])] : selected;

    const from = query["parameters[date]"] ?? query["parameters[date_from]"];
    const to = query["parameters[date]"] ?? query["parameters[date_to]"];
    const tickers = query["parameters[tickers]"]?.split(",").map((ticker) => ticker.trim().toUpperCase());
    if (tickers !== undefined && tickers.length > 50) return reply.code(400).send({ error: "at most 50 tickers" });
    const importance = query["parameters[importance]"];
    const updated = query["parameters[updated]"];

    let select = db.selectFrom("ratings").select(needed);
    if (from !== undefined) select = select.where("date", ">=", from);
    if (to !== undefined) select = select.where("date", "<=", to);
    if (tickers !== undefined) select = select.where("ticker", "in", tickers);
    if (importance !== undefined) select = select.where("importance", ">=", importance);
    if (updated === undefined) select = select.orderBy("date", "desc").orderBy("time", "desc").orderBy("id", "desc");
    else select = select.where("updated", ">=", updated).orderBy("updated").orderBy("id");
    const rows = await select
      .limit(query.pagesize)
      .offset(query.page * query.pagesize)
      .execute();

    const ratings = rows.map((row) => {
      const record: Record<string, unknown> = {};
      for (const column of selected) record[column] = row[column];
      // A CUSIP that is no integer is left out.
      if (record.cusip === null) delete record.cusip;
      if (change) record.pt_pct_change = percentChange(row.pt_prior, row.pt_current);
      if (query.simplify) {
        if (record.rating_current !== undefined) record.rating_current = simplified(row.rating_current);
        if (record.rating_prior !== undefined) record.rating_prior = simplified(row.rating_prior);
      }
      return record;
    });
    return { ratings };
  });
}

function percentChange(prior: string, current: string): string {
  const change = (100 * (Number(current) - Number(prior))) / Number(prior);
  return Number.isFinite(change) ? `${change > 0 ? "+" : ""}${change.toFixed(2)}` : "";
}
