// Home countries of companies listed in New York or Toronto, as codes and names, since imports contain both.

const abroad: Record<string, readonly string[]> = {
  ASML: ["Netherlands", "Europe"],
  TSM: ["TW", "Asia"],
  BABA: ["CN", "Asia"],
  NVO: ["DK", "Europe"],
  SHEL: ["GB", "Europe"],
  ARM: ["GB", "Europe"],
  SPOT: ["SE", "Europe"],
  NXPI: ["NLD", "Europe"],
  NSRGY: ["Switzerland", "Europe"],
  RHHBY: ["CH", "Europe"],
  LIN: ["IE"],
  MDT: ["IE"],
  ACN: ["IE"],
  MELI: ["UY"],
  SHOP: ["CA"],
  ENB: ["CA"],
  IMO: ["Canada"],
  CSU: ["CA"],
  DOL: ["CAN"],
  RY: ["CA"],
  TD: ["CA"],
  BMO: ["Canada"],
  BNS: ["CA"],
  CM: ["CAN"],
  BB: ["CA"],
  CCA: ["CA"],
  RCH: ["Canada"],
  MTY: ["CA"],
  "AGF.B": ["CA"],
  TAL: ["CN", "Asia"],
  EDU: ["China", "Asia"],
};

export function regionsOf(ticker: string): readonly string[] {
  return abroad[ticker] ?? ["US"];
}
