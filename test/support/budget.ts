// How long searches are: short in `npm test`, and their full length when BELLWIRE_TEST_LONG is "true".
export const isLong = process.env.BELLWIRE_TEST_LONG === "true";
export const runs = (short: number, long: number): number => (isLong ? long : short);
