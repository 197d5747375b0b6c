// Memory for records of bodies that are being received, all together, so that many bodies at once stay within one budget.

export type BodyMemory = {
  /** The share of one body. */
  share(): BodyShare;
};

export type BodyShare = {
  /** False when there is no more room. A body that is alone has all the room that its own limits leave it. */
  add(bytes: number): boolean;
  release(bytes: number): void;
  releaseAll(): void;
};

export function bodyMemory(most: number): BodyMemory {
  let total = 0;
  return {
    share: () => {
      let own = 0;
      const add = (bytes: number): boolean => {
        own += bytes;
        total += bytes;
        return total <= most || total === own;
      };
      const release = (bytes: number): void => void add(-bytes);
      return { add, release, releaseAll: () => release(own) };
    },
  };
}
