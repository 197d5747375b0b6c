// A first-in, first-out mutex with a limit on waiting.

type Mutex = <T>(work: () => Promise<T>) => Promise<T>;

export function createMutex(timeoutMs: number, timeoutError: () => Error): Mutex {
  let last: Promise<void> = Promise.resolve();
  return async (work) => {
    const previous = last;
    const { promise, resolve: release } = Promise.withResolvers<void>();
    last = promise;
    let timer: NodeJS.Timeout | undefined;
    const timeout = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(timeoutError()), timeoutMs);
    });
    try {
      await Promise.race([previous, timeout]);
    } catch (error) {
      // Those behind still wait for those ahead.
      void previous.then(release);
      throw error;
    } finally {
      clearTimeout(timer);
    }
    try {
      return await work();
    } finally {
      release();
    }
  };
}
