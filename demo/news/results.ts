// News of results and of guidance. Every figure in a headline is the figure of its record.
import { perShare, shortRevenue } from "../amounts.ts";
import { callOf } from "../calendars/earnings.ts";
import type { Guidance, Range } from "../calendars/guidance.ts";
import type { Quarter } from "../companies/company.ts";
import { clockAt, tradingDaysLater } from "../days.ts";
import {
  aboutCompany,
  bullets,
  type Draft,
  escapeHtml,
  type Instrument,
  link,
  type Piece,
  paragraph,
} from "./piece.ts";

function compared(value: number, measure: number, words: readonly [string, string, string]): string {
  return value > measure ? words[0] : value < measure ? words[1] : words[2];
}

const labels: Record<string, string> = { Adj: "Adj. EPS", GAAP: "EPS", FFO: "FFO" };

function earningsTitle(quarter: Quarter): string {
  const { company, period, eps, revenue } = quarter;
  const share = (cents: number) => perShare(company.sign, cents);
  const sales = (thousands: number) => shortRevenue(company.sign, thousands);
  const start = `${company.name} ${period} ${labels[company.epsType]} ${share(eps)}`;
  if (!quarter.followed) {
    const trend = (value: number, before: number) => compared(value, before, ["Up From", "Down From", "Same As"]);
    const first = `${start} ${trend(eps, quarter.epsYearAgo)} ${share(quarter.epsYearAgo)} YoY`;
    return `${first}, Sales ${sales(revenue)} ${trend(revenue, quarter.revenueYearAgo)} ${sales(quarter.revenueYearAgo)} YoY`;
  }
  const verb = compared(eps, quarter.epsExpected, ["Beats", "Misses", "Meets"]);
  const salesVerb = compared(revenue, quarter.revenueExpected, ["Beat", "Miss", "Meet"]);
  const first = `${start} ${verb} ${share(quarter.epsExpected)} Estimate`;
  return `${first}, Sales ${sales(revenue)} ${salesVerb} ${sales(quarter.revenueExpected)} Estimate`;
}

/** The report itself, and for some a preview, an account of it, and one of the call. */
export function* earningsDrafts(quarter: Quarter, peers: readonly Instrument[]): Generator<Draft> {
  const { company } = quarter;
  const draw = company.draw.at("earnings news", quarter.index);
  const tag = `${quarter.period} ${quarter.year} Earnings`;
  const path = `earnings/${company.ticker.toLowerCase()}/${quarter.period.toLowerCase()}-${quarter.year}`;
  const name = `report ${company.ticker}`;
  const beat = compared(quarter.eps, quarter.epsExpected, ["Earnings Beats", "Earnings Misses", "News"]);
  const shared = { ...aboutCompany(company), teaser: "", blocks: [], tags: [tag, company.name] };
  const reportClock = quarter.reportClock + draw.int(3, 90);
  yield {
    day: quarter.reportDay,
    clock: reportClock,
    draw: draw.at("report"),
    name,
    write: () => ({
      ...shared,
      title: earningsTitle(quarter),
      channels: [...new Set(["Earnings", quarter.followed ? beat : "News", "News"])],
      contentType: "headline",
      path,
    }),
  };
  if (draw.chance(0.36)) {
    yield {
      day: quarter.reportDay,
      clock: reportClock + draw.int(900, 3600),
      draw: draw.at("account"),
      follows: name,
      write: () => account(quarter, peers, path),
    };
  }
  if (draw.chance(0.18)) {
    yield {
      day: tradingDaysLater(quarter.reportDay, -1),
      clock: clockAt(draw.int(9, 15), draw.int(0, 59), draw.int(0, 59)),
      draw: draw.at("preview"),
      write: () => ({ ...shared, ...preview(quarter), path: `${path}/preview` }),
    };
  }
  if (draw.chance(0.15)) {
    const call = callOf(quarter);
    yield {
      day: call.day,
      clock: call.clock + draw.int(3000, 5400),
      draw: draw.at("call"),
      write: () => ({
        ...shared,
        title: `${company.name} ${quarter.period} ${quarter.year} Earnings Call: Key Points`,
        teaser: "The main points of the call, in short.",
        blocks: callBlocks(quarter),
        channels: ["Earnings", "News"],
        contentType: "story",
        path: `${path}/call`,
      }),
    };
  }
}

function preview(quarter: Quarter) {
  const { company } = quarter;
  const expected = perShare(company.sign, quarter.epsExpected);
  return {
    title: `${company.name} ${quarter.period} Earnings Preview: What To Watch`,
    teaser: `${escapeHtml(company.name)} reports on the next trading day.`,
    blocks: [
      paragraph(`${link(company)} will report results for its quarter ${quarter.period} on the next trading day.`),
      paragraph(
        quarter.followed
          ? `Analysts expect ${labels[company.epsType]} of <strong>${expected}</strong>.`
          : "No estimates were published.",
        `A year ago it was ${perShare(company.sign, quarter.epsYearAgo)}.`,
      ),
    ],
    channels: ["Earnings", "Trading Ideas", "News"],
    contentType: "story",
  } as const;
}

function account(quarter: Quarter, peers: readonly Instrument[], path: string): Piece {
  const { company } = quarter;
  const draw = company.draw.at("account", quarter.index);
  const percent = Math.abs(quarter.move * 45).toFixed(1);
  const direction = quarter.move >= 0 ? "higher" : "lower";
  const others = draw.some(
    peers.filter((peer) => peer !== company),
    draw.int(0, 2),
  );
  const yearly = quarter.revenue / quarter.revenueYearAgo - 1;
  return {
    ...aboutCompany(company),
    instruments: [company, ...others],
    title: `Why ${company.name} Shares Are Trading ${quarter.move >= 0 ? "Higher" : "Lower"} After ${quarter.period} Results`,
    teaser: `${escapeHtml(company.name)} shares moved ${direction} after the company&#39;s results.`,
    blocks: [
      paragraph(
        `${link(company)} shares are trading ${direction} by ${percent}%.`,
        `${escapeHtml(earningsTitle(quarter))}.`,
      ),
      "<h2>What to know</h2>",
      bullets([
        `Revenue ${yearly >= 0 ? "grew" : "fell"} ${Math.abs(yearly * 100).toFixed(1)}% from a year earlier.`,
        `${labels[company.epsType]} was ${perShare(company.sign, quarter.epsYearAgo)} in the same quarter last year.`,
      ]),
      ...(others.length > 0 ? [paragraph(`Also in focus: ${others.map(link).join(", ")}.`)] : []),
    ],
    channels: ["Earnings", "Movers", "News", "WIIM"],
    tags: [`${quarter.period} ${quarter.year} Earnings`, "Why It's Moving", company.sector],
    contentType: "story",
    path: `${path}/account`,
  };
}

function callBlocks(quarter: Quarter): string[] {
  const { company } = quarter;
  const draw = company.draw.at("call text", quarter.index);
  const topics = ["demand", "costs", "inventories", "pricing", "investment", "hiring", "new products", "buybacks"];
  return [
    paragraph(`${link(company)} discussed its ${quarter.period} results with analysts.`),
    bullets(
      draw.some(topics, 3).map((topic) => `Management spoke about ${topic} &ndash; in line with its earlier remarks.`),
    ),
    `<blockquote>&quot;We&#39;re pleased with where ${escapeHtml(company.name)} stands,&quot; management said.</blockquote>`,
  ];
}

/** Guidance can also be a single figure. */
function rangeText({ low, high }: Range, amount: (value: number) => string): string {
  return low === high ? amount(low) : `${amount(low)}-${amount(high)}`;
}

export function guidanceDraft(item: Guidance): Draft {
  const { company, eps, revenue, before } = item;
  const draw = company.draw.at("guidance news").at(item.name);
  const write = (): Piece => {
    const share = (range: Range) => rangeText(range, (cents) => perShare(company.sign, cents));
    const sales = (range: Range) => rangeText(range, (thousands) => shortRevenue(company.sign, thousands));
    const parts: string[] = [];
    if (eps) {
      const from = before?.eps ? `From ${share(before.eps)} To ${share(eps)}` : share(eps);
      parts.push(`${labels[item.epsType]} ${from} Vs ${perShare(company.sign, item.epsExpected)} Est.`);
    }
    if (revenue) {
      const from = before?.revenue ? `From ${sales(before.revenue)} To ${sales(revenue)}` : sales(revenue);
      parts.push(`Sales ${from} Vs ${shortRevenue(company.sign, item.revenueExpected)} Est.`);
    }
    const now = eps ?? revenue;
    const then = eps ? before?.eps : before?.revenue;
    const change = now && then ? now.low + now.high - then.low - then.high : undefined;
    const verb = change === undefined ? "Sees" : compared(change, 0, ["Raises", "Lowers", "Affirms"]);
    return {
      ...aboutCompany(company),
      title: `${company.name} ${item.preliminary ? "Early Update: " : ""}${verb} ${item.period} ${item.year} ${parts.join("; ")}`,
      teaser: "",
      blocks: [],
      channels: ["Guidance", "News", ...(draw.at("channel").chance(0.5) ? ["Earnings"] : [])],
      tags: [`${item.period} ${item.year} Guidance`, company.name],
      contentType: "headline",
    };
  };
  return { day: item.day, clock: item.clock + draw.int(100, 700), draw, write };
}
