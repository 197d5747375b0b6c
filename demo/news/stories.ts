// News of analysts' opinions, dividends and economic releases. Every figure in a headline is the figure of its record.
import { fixed } from "../amounts.ts";
import type { Dividend } from "../calendars/dividends.ts";
import type { Release } from "../calendars/economics.ts";
import { newsAddress } from "../calendars/ratings.ts";
import type { Opinion } from "../companies/coverage.ts";
import { targetText } from "../companies/firms.ts";
import { aboutCompany, type Draft, escapeHtml, type Instrument, link, type Piece, paragraph, site } from "./piece.ts";

const actionChannels: Record<string, string> = {
  Upgrades: "Upgrades",
  Downgrades: "Downgrades",
  "Initiates Coverage On": "Initiation",
  Reiterates: "Reiteration",
};

/** A story spells its words out; a headline is as short as the wire likes it. */
function opinionTitle(opinion: Opinion, hasBody: boolean): string {
  const { action, company, firm, rating } = opinion;
  const prices = targetWords(opinion, hasBody ? "Price Target" : "PT");
  if (rating === "")
    return `${firm.name} ${action === "Firm Dissolved" ? "Dissolved, Coverage Ends On" : action} ${company.name}${prices}`;
  if (action === "Upgrades" || action === "Downgrades")
    return `${firm.name} ${action} ${company.name} to ${rating}${prices}`;
  if (action === "Initiates Coverage On")
    return `${firm.name} ${action} ${company.name} With ${rating} Rating${prices}`;
  return `${firm.name} ${action} ${rating} on ${company.name}${prices}`;
}

function targetWords({ targetAction, company, target, targetBefore }: Opinion, words: string): string {
  const money = (cents: number | undefined) =>
    company.sign + targetText(cents, cents !== undefined && cents % 100 === 0 ? 0 : 2);
  if (target === undefined) return targetBefore === undefined ? "" : `, Removes ${words} of ${money(targetBefore)}`;
  if (targetBefore === undefined) return `, Announces ${words} of ${money(target)}`;
  if (target === targetBefore) return `, Maintains ${money(target)} ${words}`;
  return `, ${targetAction} ${words} From ${money(targetBefore)} To ${money(target)}`;
}

export function opinionDraft(opinion: Opinion): Draft {
  const { company, firm, analyst } = opinion;
  const draw = opinion.draw.at("news text");
  const write = (): Piece => {
    const hasBody = draw.at("told").chance(0.2);
    const title = opinionTitle(opinion, hasBody);
    const says = `${analyst.name} of ${escapeHtml(firm.name)}: ${opinion.action} ${escapeHtml(company.name)}.`;
    const change = actionChannels[opinion.action];
    return {
      ...aboutCompany(company),
      title,
      teaser: hasBody || draw.at("teaser").chance(0.5) ? says : "",
      blocks: hasBody
        ? [
            paragraph(`${analyst.name}, an analyst at ${escapeHtml(firm.name)}, wrote on ${link(company)}:`),
            paragraph(`${escapeHtml(title)}.`),
            paragraph("The rating before was", `<em>${opinion.ratingBefore || "none"}</em>.`),
          ]
        : [],
      channels: ["Analyst Ratings", ...(opinion.target === undefined ? [] : ["Price Target"]), change ?? "News"],
      tags: [firm.name, analyst.name],
      contentType: hasBody ? "story" : "headline",
      path: newsAddress(opinion).slice(site.length + 1),
    };
  };
  return { day: opinion.day, clock: opinion.clock + draw.int(0, 120), draw, write };
}

const often: Record<number, string> = { 12: "Monthly", 4: "Quarterly", 2: "Semiannual", 1: "Annual" };

export function dividendDraft(dividend: Dividend): Draft {
  const { company, kind, amount, amountBefore } = dividend;
  const draw = dividend.draw.at("news");
  const write = (): Piece => {
    const money = (units: number) => company.sign + (units % 100 === 0 ? fixed(units / 100, 2, 2) : fixed(units, 4, 4));
    const regular = `${often[company.dividendsPerYear]} Dividend`;
    const raised = amountBefore !== undefined && amount > amountBefore;
    const title =
      kind === "Stock"
        ? `${company.name} Declares ${fixed(amount, 2, 2)}% Stock Dividend`
        : kind === "Special"
          ? `${company.name} Declares Special Dividend Of ${money(amount)} Per Share`
          : raised
            ? `${company.name} Raises ${regular} From ${money(amountBefore)} To ${money(amount)} Per Share`
            : `${company.name} Declares ${regular} Of ${money(amount)} Per Share`;
    return {
      ...aboutCompany(company),
      title,
      teaser: "",
      blocks: [],
      channels: ["Dividends", "News"],
      tags: [regular],
      contentType: "headline",
    };
  };
  return { day: dividend.announcedDay, clock: dividend.announcedClock + draw.int(60, 900), draw, write };
}

export function releaseDraft(release: Release, funds: readonly Instrument[]): Draft {
  const { series, consensus } = release;
  const draw = release.draw.at("news");
  const home = series.code === "USA";
  const write = (): Piece => {
    const [name, category, importance] = series.row;
    const expected = consensus === undefined ? "" : ` Vs ${series.short(consensus)} Est.`;
    const instruments = home && draw.at("funds").chance(0.6) ? draw.at("funds").some(funds, 1) : [];
    return {
      title: `${home ? "US" : series.country} ${name} For ${release.period} ${series.short(release.actual)}${expected}; Prior ${series.short(release.prior)}`,
      teaser: "",
      blocks: [],
      channels: ["Econ #s", "Economics", ...(category === "Central Banks" ? ["Federal Reserve"] : [])],
      instruments,
      primaries: instruments.length,
      tags: [name, category],
      importance: importance === 3 ? "high" : "medium",
      regions: [series.code === "EMU" ? "Europe" : series.country],
      contentType: "headline",
    };
  };
  return { day: release.day, clock: release.clock + draw.int(1, 45), draw, write };
}
