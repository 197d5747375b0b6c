// Workloads A, B, and C for other servers: GraphQL for PostGraphile, query parameters for json-server.
import { dayText } from "../../demo/days.ts";
import { Draw } from "../../demo/draw.ts";
import { jsonServerRecords } from "../contenders/rivals.ts";
import type { BenchRequest } from "../driver/request.ts";
import { companies } from "../records/companies.ts";
import type { BenchData } from "../records/database.ts";
import { tickersFor } from "../records/ratings.ts";
import { tradingDays } from "../records/span.ts";
import { ratingsRequests } from "./ratings.ts";
import { lanes } from "./sqlite.ts";
import type { Requests, Workload } from "./workload.ts";

const nodes = `nodes { rowId actionCompany actionPt adjustedPtCurrent adjustedPtPrior analyst analystId analystName currency
  cusip date exchange firmId importance isin name notes ptCurrent ptPrior ratingCurrent ratingPrior ticker time updated url
  urlCalendar urlNews }`;
const order = "orderBy: [DATE_DESC, TIME_DESC, ROW_ID_DESC]";

const graphql = (query: string, variables: Readonly<Record<string, unknown>>): BenchRequest => ({
  path: "/graphql",
  method: "POST",
  headers: { "content-type": "application/json" },
  body: JSON.stringify({ query, variables }),
});

const sorted = "_sort=date,time,id&_order=desc,desc,desc&_limit=50";
const jsonServer = (query: string): BenchRequest => ({ path: `/ratings?${query}${sorted}` });

/** So many random requests, different in each round. */
const drawn =
  (name: string, make: (draw: Draw) => BenchRequest): Requests =>
  (round) =>
    Array.from({ length: 20_000 }, (_, n) => make(Draw.seeded(10).at(`${name} ${round}`, n)));

const drawDays = (draw: Draw): readonly [string, string] => {
  const first = draw.pick(tradingDays);
  return [dayText(first), dayText(first + draw.int(0, 59))];
};

export function rivalWorkloads(data: BenchData): readonly Workload[] {
  const ratings = ratingsRequests(data);
  const ticker = (draw: Draw, records: number) => draw.pick(companies(tickersFor(records))).ticker;
  const workload = (name: string, about: string, own: Requests, postGraphile: Requests, json: Requests): Workload => ({
    name: `rivals ${name}`,
    about: `${about}, as users of each would send it`,
    lanes: [...lanes(own, "bare", "bellwire"), ...lanes(postGraphile, "PostGraphile"), ...lanes(json, "json-server")],
    targets: [],
    model: "bellwire",
    fullOnly: true,
  });
  return [
    workload(
      "A",
      "the latest page of ratings",
      ratings.latest,
      () => [graphql(`{ allRatings(first: 50, ${order}) { ${nodes} } }`, {})],
      () => [jsonServer("")],
    ),
    workload(
      "B",
      "one random ticker",
      ratings.ticker,
      drawn("PostGraphile B", (draw) =>
        graphql(
          `query ($ticker: String!) { allRatings(condition: { ticker: $ticker }, first: 50, ${order}) { ${nodes} } }`,
          {
            ticker: ticker(draw, data.sizes.ratings),
          },
        ),
      ),
      drawn("json-server B", (draw) => jsonServer(`ticker=${ticker(draw, jsonServerRecords)}&`)),
    ),
    workload(
      "C",
      "a random range of days, importance 3 or more",
      ratings.days,
      drawn("PostGraphile C", (draw) => {
        const [first, last] = drawDays(draw);
        return graphql(
          `query ($first: String!, $last: String!) { ratingsBetween(firstDay: $first, lastDay: $last, atLeast: 3, first: 50) { ${nodes} } }`,
          { first, last },
        );
      }),
      drawn("json-server C", (draw) => {
        const [first, last] = drawDays(draw);
        return jsonServer(`date_gte=${first}&date_lte=${last}&importance_gte=3&`);
      }),
    ),
  ];
}
