// Packs two 32-bit integers into a 64-bit key that sorts like the pair.

/** `high` and `low` range from 0 to 2^32 - 1; the key is signed, like integers in both databases. */
export const packKey = (high: number, low: number): bigint => ((BigInt(high) - 2n ** 31n) << 32n) + BigInt(low);

export const lowOf = (key: bigint): number => Number(BigInt.asUintN(32, key));
export const highOf = (key: bigint): number => Number((key >> 32n) + 2n ** 31n);
