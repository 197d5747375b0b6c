// Countries: three-letter codes, as the API takes them, with English names and flags.

/** Two-letter codes, each followed by the last two letters of the three-letter code, which starts with the same letter. */
const packed =
  "AFFGALLBDZZAASSMADNDAOGOAIIAAQTAAGTGARRGAMRMAWBWAUUSATUTAZZEBSHSBHHRBDGDBBRBBYLRBEELBZLZBJENBMMUBTTN" +
  "BOOLBAIHBWWABVVTBRRAIOOTBNRNBGGRBFFABIDIKHHMCMMRCAANCVPVCFAFTDCDCLHLCNHNCXXRCCCKCOOLCGOGCDODCKOKCRRI" +
  "CIIVHRRVCUUBCYYPCZZEDKNKDJJIDMMADOOMECCUEGGYSVLVGQNQERRIEESTETTHFKLKFOROFJJIFIINFRRAGFUFPFYFGAABGMMB" +
  "GEEODEEUGHHAGIIBGRRCGLRLGDRDGPLPGUUMGTTMGNINGWNBGYUYHTTIHMMDVAATHNNDHKKGHUUNISSLINNDIDDNIRRNIQRQIERL" +
  "ILSRITTAJMAMJPPNJOORKZAZKEENKIIRKRORKWWTKGGZLAAOLVVALBBNLSSOLRBRLYBYLIIELTTULUUXMOACMGDGMWWIMYYSMVDV" +
  "MLLIMTLTMHHLMQTQMRRTMUUSMXEXFMSMMDDAMCCOMNNGMSSRMAARMZOZMMMRNAAMNRRUNPPLNLLDNCCLNZZLNIICNEERNGGANUIU" +
  "NFFKMPNPMKKDNOOROMMNPKAKPWLWPSSEPAANPGNGPYRYPEERPHHLPNCNPLOLPTRTPRRIQAATREEUROOURUUSRWWASHHNKNNALCCA" +
  "VCCTWSSMSMMRSTTPSAAUSNENSCYCSLLESGGPSKVKSIVNSBLBSOOMZAAFESSPLKKASDDNSRURSJJMSZWZSEWECHHESYYRTWWNTJJK" +
  "TZZATHHATLLSTGGOTKKLTOONTTTOTNUNTRURTMKMTCCATVUVUGGAUAKRAEREGBBRUSSAUMMIUYRYUZZBVUUTVEENVNNMVGGBVIIR" +
  "WFLFEHSHYEEMZMMBZWWEAXLABQESCWUWGGGYIMMNJEEYMENEBLLMMFAFSXXMSSSD";
/** Those that start with another letter. */
const others = "KYCYM KMCOM TFATF KPPRK YTMYT PMSPM GSSGS RSSRB";

export type Country = {
  /** Three letters. */
  readonly code: string;
  /** Two letters. */
  readonly short: string;
  readonly name: string;
  readonly flag: string;
};

/** The euro area, which isn't a country. */
const euroArea = ["EU", "EMU"] as const;

/** Shown first. */
const major = ["USA", "EMU", "GBR", "JPN", "DEU", "FRA", "CHN", "CAN", "AUS", "CHE"];

const pairs = (): (readonly [string, string])[] => [
  euroArea,
  ...(packed.match(/..../g) ?? []).map((each) => [each.slice(0, 2), each.charAt(0) + each.slice(2)] as const),
  ...others.split(" ").map((each) => [each.slice(0, 2), each.slice(2)] as const),
];

/** Letters of a two-letter code as regional indicators, which browsers show as a flag. */
const flagOf = (short: string): string =>
  [...short].map((letter) => String.fromCodePoint((letter.codePointAt(0) ?? 0) + 0x1f1a5)).join("");

let cached: readonly Country[] | undefined;

/** Major economies first, then by name. */
export function countries(): readonly Country[] {
  const names = new Intl.DisplayNames("en", { type: "region" });
  const rank = ({ code }: Country): number => (major.includes(code) ? major.indexOf(code) : major.length);
  cached ??= pairs()
    .map(([short, code]) => ({
      ...{ code, short, flag: flagOf(short) },
      name: code === "EMU" ? "Euro Area" : (names.of(short) ?? short),
    }))
    .toSorted((a, b) => rank(a) - rank(b) || a.name.localeCompare(b.name));
  return cached;
}

/** Two letters for a country by its English name; empty if unknown. */
export const codeOfName = (name: string): string => countries().find((each) => each.name === name)?.short ?? "";

/** The flag of a country by its English name; empty if unknown. */
export const flagOfName = (name: string): string => countries().find((each) => each.name === name)?.flag ?? "";
