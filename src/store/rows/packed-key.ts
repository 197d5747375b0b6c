// Two integers of 32 bits as one key of 64, whose order is the order of the pair.

/** High and low from 0 to 2^32 - 1; the key is signed, as both databases have it. */
export const packKey = (high: number, low: number): bigint => ((BigInt(high) - 2n ** 31n) << 32n) + BigInt(low);

export const lowOf = (key: bigint): number => Number(BigInt.asUintN(32, key));
export const highOf = (key: bigint): number => Number((key >> 32n) + 2n ** 31n);
