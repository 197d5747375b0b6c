// One memory budget for the records of all request bodies being received.

export type BodyMemory = { share(): BodyShare };

export type BodyShare = {
  /** False if the budget is exceeded. A single body may exceed it, up to the limits on its size. */
  add(bytes: number): boolean;
  release(bytes: number): void;
  releaseAll(): void;
};

export function bodyMemory(max: number): BodyMemory {
  let total = 0;
  return {
    share: () => {
      let own = 0;
      const add = (bytes: number): boolean => {
        own += bytes;
        total += bytes;
        return total <= max || total === own;
      };
      const release = (bytes: number): void => void add(-bytes);
      return { add, release, releaseAll: () => release(own) };
    },
  };
}
