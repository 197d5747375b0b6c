// Budgets of property tests: small in `npm test`, full with BELLWIRE_TEST_LONG=true. Small runs use a fixed seed, so
// that they fail because of a change and never by chance.
import fc from "fast-check";

export const isLong = process.env.BELLWIRE_TEST_LONG === "true";
export const runs = (short: number, long: number): number => (isLong ? long : short);

const fixedSeed = 20_240_229;

/** The seed of all random data. A failure prints it; `BELLWIRE_TEST_SEED=n` repeats the run. */
export const seed = Number(process.env.BELLWIRE_TEST_SEED ?? (isLong ? Date.now() & 0x7fff_ffff : fixedSeed));

fc.configureGlobal({ ...fc.readConfigureGlobal(), seed });
