// How long searches are: short in `npm test`, and their full length when BELLWIRE_TEST_LONG is "true". What a short search
// tries is the same in every run, so that it fails because of a change and never by chance.
import fc from "fast-check";

export const isLong = process.env.BELLWIRE_TEST_LONG === "true";
export const runs = (short: number, long: number): number => (isLong ? long : short);

const fixed = 20_240_229;

/** Where everything random begins. A failure prints it; `BELLWIRE_TEST_SEED=n` repeats the run. */
export const seed = Number(process.env.BELLWIRE_TEST_SEED ?? (isLong ? Date.now() & 0x7fff_ffff : fixed));

fc.configureGlobal({ ...fc.readConfigureGlobal(), seed });
