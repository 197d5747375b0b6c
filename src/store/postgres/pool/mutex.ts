// One piece of work at a time, in the order in which they came, none waiting longer than a limit.

export type InTurn = <T>(work: () => Promise<T>) => Promise<T>;

export function inTurn(limitMs: number, tooLong: () => Error): InTurn {
  let last: Promise<void> = Promise.resolve();
  return async (work) => {
    const before = last;
    let leave = () => {};
    last = new Promise((resolve) => {
      leave = resolve;
    });
    let limit: NodeJS.Timeout | undefined;
    const waited = new Promise<never>((_, reject) => {
      limit = setTimeout(() => reject(tooLong()), limitMs);
    });
    try {
      await Promise.race([before, waited]);
    } catch (error) {
      // Whoever comes after still waits for those before.
      void before.then(leave);
      throw error;
    } finally {
      clearTimeout(limit);
    }
    try {
      return await work();
    } finally {
      leave();
    }
  };
}
