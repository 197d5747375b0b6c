// Requests that wait to be answered, taken from each connection in turn: one that sends hundreds without waiting for their
// responses delays only itself.

export type FairQueue<T> = {
  add(connection: object, item: T): void;
  take(): T | undefined;
  readonly size: number;
};

export function fairQueue<T>(): FairQueue<T> {
  /** In the order in which connections have their turn; nearly all have one request. */
  const lines = new Map<object, T[]>();
  let size = 0;
  return {
    add: (connection, item) => {
      size++;
      const line = lines.get(connection);
      if (line === undefined) lines.set(connection, [item]);
      else line.push(item);
    },
    take: () => {
      const first = lines.entries().next().value;
      if (first === undefined) return undefined;
      const [connection, line] = first;
      size--;
      lines.delete(connection);
      const item = line.shift();
      if (line.length > 0) lines.set(connection, line);
      return item;
    },
    get size() {
      return size;
    },
  };
}
