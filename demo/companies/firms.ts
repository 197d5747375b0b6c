// Invented research firms with their rating words, and the invented people who work for them. No firm is named after
// a real one.
import { fixed } from "../amounts.ts";
import type { Draw } from "../draw.ts";

/** Words for buying, holding and selling; where a firm has two words for one, the first is the stronger. */
type Scale = readonly [buy: readonly string[], hold: readonly string[], sell: readonly string[]];

const scales: readonly Scale[] = [
  [["Buy"], ["Neutral"], ["Sell"]],
  [["Buy"], ["Hold"], ["Sell"]],
  [["Outperform"], ["Market Perform"], ["Underperform"]],
  [["Overweight"], ["Equal-Weight"], ["Underweight"]],
  [["Overweight"], ["Neutral"], ["Underweight"]],
  [["Outperform"], ["Neutral"], ["Underperform"]],
  [["Sector Outperform"], ["Sector Perform"], ["Sector Underperform"]],
  [["Strong Buy", "Outperform"], ["Market Perform"], ["Underperform"]],
  [["Conviction Buy", "Buy"], ["Neutral"], ["Sell"]],
  [["Buy", "Accumulate"], ["Hold"], ["Reduce"]],
  [["Top Pick", "Outperform"], ["Perform"], ["Underperform"]],
  [["Positive"], ["In-Line"], ["Negative"]],
  [["Market Outperform"], ["Market Perform"], ["Market Underperform"]],
  [["Buy", "Speculative Buy"], ["Fair Value"], ["Avoid"]],
];

const firmNames = [
  "Quillhaven Securities",
  "Brackwater Research",
  "Ostermere Capital Markets",
  "Fennimore Vale",
  "Larkspur Dunes Partners",
  "Ironquay Markets",
  "Thistledown Equity Research",
  "Velloway & Finch",
  "Saltmarsh Advisory",
  "Norvane Securities",
  "Calder Pike & Co",
  "Embershaw Capital",
  "Greywether Research",
  "Hollin Tarn Partners",
  "Juniper Strand",
  "Kestrelmoor Securities",
  "Lindenfall Markets",
  "Merriwick Brothers",
  "Oakenshade Analytics",
  "Pellbrook Capital",
  "Ravensholt Research",
  "Sablecrest Securities",
  "Tamberlane Partners",
  "Umberfield & Sons",
  "Wexcombe Harrow",
  "Yarrowgate Capital",
  "Zephyr Locke Research",
  "Aldermoss Securities",
  "Birchwold Equities",
  "Cinderhill Markets",
  "Dovemere Partners",
  "Eastwick Tolland",
] as const;

/** Small houses that open in one year and close in the next autumn; a name comes back only years later. */
const shortLivedNames = [
  "Fallowmere Boutique",
  "Gorsedale Research",
  "Hazelbarrow Partners",
  "Inglethorpe Capital",
  "Jackdaw Lane Securities",
  "Knapweed Research",
  "Lowmoor & Tarrant",
  "Mossgill Markets",
] as const;

const firstNames =
  "Adela Bram Celeste Dorian Elowen Fabian Greta Hollis Imogen Jasper Kerensa Lucian Maren Nolan Odette Piers Quinn Rosalind Silas Thea Ulric Verity Wendell Xanthe Yorick Zelda".split(
    " ",
  );
const lastNames =
  "Ashgrove Bellhollow Crannock Dunmarsh Elverstone Fernsby Glaisdale Hathersedge Inkpenny Jorvald Kettlewick Lorrimore Mossgrave Netherby Oxenholt Pennywhistle Quarrington Ruddlestone Silverthwaite Tattersby Underbrook Vennacher Wintersgill Yellowley".split(
    " ",
  );

export type Analyst = { id: string; name: string; draw: Draw };

export type Firm = {
  id: string;
  name: string;
  scale: Scale;
  /** All its words, best first. */
  words: readonly string[];
  analysts: readonly Analyst[];
  /** Places after the point of its price targets: `230`, `230.00`, `230.0000`. */
  places: number;
};

/** An invented person; the same Draw is the same person. */
export function personName(draw: Draw): string {
  return `${draw.pick(firstNames)} ${draw.pick(lastNames)}`;
}

function firmNamed(name: string, root: Draw): Firm {
  const draw = root.at("firm").at(name);
  const analysts: Analyst[] = [];
  for (let place = 0; analysts.length < 6; place++) {
    const person = draw.at("analyst", place);
    const known = personName(person.at("name"));
    if (!analysts.some((analyst) => analyst.name === known)) {
      analysts.push({ id: person.at("id").hex(24), name: known, draw: person });
    }
  }
  const scale = draw.pick(scales);
  const places = draw.pick([0, 2, 2, 2, 4]);
  return { id: draw.at("id").hex(24), name, scale, words: scale.flat(), analysts, places };
}

export function firmsOf(root: Draw): readonly Firm[] {
  return firmNames.map((name) => firmNamed(name, root));
}

/** The small house that opens at the beginning of this year and is dissolved in its autumn. */
export function shortLivedFirm(year: number, root: Draw): Firm {
  return firmNamed(shortLivedNames[year % shortLivedNames.length] as string, root);
}

/** How well a person's ratings did, as known in one year; some people have no such record. */
export function accuracyOf(analyst: Analyst, year: number): Record<string, unknown> | undefined {
  if (!analyst.draw.at("measured").chance(0.35)) return undefined;
  const draw = analyst.draw.at("accuracy", year);
  const gains = draw.int(40, 260);
  const losses = draw.int(30, 160);
  const accuracy: Record<string, unknown> = {
    smart_score: draw.between(20, 95).toFixed(2),
    overall_success_rate: ((100 * gains) / (gains + losses)).toFixed(2),
    overall_average_return: draw.between(-4, 22).toFixed(2),
    overall_avg_return_percentile: draw.between(5, 99).toFixed(2),
    overall_stdev: draw.between(8, 45).toFixed(2),
    overall_gain_count: gains,
    overall_loss_count: losses,
    total_ratings: gains + losses,
    total_ratings_percentile: draw.between(5, 99).toFixed(2),
  };
  for (const [window, part] of [
    ["1m", 0.3],
    ["3m", 0.45],
    ["9m", 0.65],
    ["1y", 0.75],
    ["2y", 0.9],
    ["3y", 1],
  ] as const) {
    const gained = Math.round(gains * part * draw.between(0.85, 1));
    const lost = Math.round(losses * part * draw.between(0.85, 1));
    accuracy[`${window}_average_return`] = draw.between(-5, 24).toFixed(2);
    accuracy[`${window}_gain_count`] = gained;
    accuracy[`${window}_loss_count`] = lost;
    accuracy[`${window}_smart_score`] = draw.between(20, 95).toFixed(2);
    accuracy[`${window}_stdev`] = draw.between(5, 45).toFixed(2);
    accuracy[`${window}_success_rate`] = ((100 * gained) / (gained + lost)).toFixed(2);
  }
  return Object.freeze(accuracy);
}

/** Cents in the style of the firm; empty without a target. */
export function targetText(cents: number | undefined, places: number): string {
  if (cents === undefined) return "";
  if (places > 0) return fixed(cents, 2, places);
  return cents % 100 === 0 ? String(cents / 100) : fixed(cents, 2, 2);
}
