// Thousands of fictional companies for the benchmark data. Deterministic.

import { type Firm, firmsOf } from "../../demo/companies/firms.ts";
import { identifiersOf } from "../../demo/companies/identifiers.ts";
import { Draw } from "../../demo/draw.ts";

export type BenchCompany = {
  readonly ticker: string;
  readonly name: string;
  readonly exchange: string;
  readonly currency: string;
  readonly cusip: string;
  readonly isin: string;
  /** 0 to 5; a little under half of them have 3 or more. */
  readonly importance: number;
};

export const root = Draw.seeded(4);

const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZ";
const exchanges = ["NASDAQ", "NASDAQ", "NASDAQ", "NYSE", "NYSE", "AMEX", "ARCA", "OTC", "TSX"];
const importances = [0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 5, 5];
const first =
  "Alder Basalt Cobalt Dorset Ember Fathom Granite Harbor Indigo Juniper Keystone Lumen Marlin Nimbus".split(" ");
const second =
  "Analytics Biosciences Capital Devices Energy Foods Genomics Holdings Industries Logistics Materials".split(" ");
const third = ["Inc.", "Corp.", "Ltd.", "Group", "Co.", "PLC"];

const known = new Map<number, readonly BenchCompany[]>();

export function companies(count: number): readonly BenchCompany[] {
  let made = known.get(count);
  if (made === undefined) {
    const taken = new Set<string>();
    made = Array.from({ length: count }, (_, place) => companyAt(place, taken));
    known.set(count, made);
  }
  return made;
}

function companyAt(place: number, taken: Set<string>): BenchCompany {
  const draw = root.at("company", place);
  let ticker = "";
  for (let length = draw.int(2, 4); ticker === "" || taken.has(ticker); length = 5) {
    ticker = Array.from({ length }, () => draw.pick([...letters])).join("");
  }
  taken.add(ticker);
  const exchange = draw.pick(exchanges);
  const { cusip, isin } = identifiersOf(place, exchange === "TSX" ? "CA" : "US");
  return {
    ticker,
    name: `${draw.pick(first)} ${draw.pick(second)} ${draw.pick(third)}`,
    exchange,
    currency: exchange === "TSX" ? "CAD" : "USD",
    cusip,
    isin,
    importance: draw.pick(importances),
  };
}

/** Skewed: the first company is mentioned twenty times as often as the last, which has two thirds of an even share. */
export const drawCompany = (draw: Draw, all: readonly BenchCompany[]): BenchCompany =>
  all[Math.floor(draw.unit() ** 1.5 * all.length)] as BenchCompany;

export const firms: readonly Firm[] = firmsOf(root);
