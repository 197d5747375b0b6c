// Round-robin queue of requests by connection: a client that pipelines requests delays only itself.

type FairQueue<T> = {
  add(connection: object, item: T): void;
  take(): T | undefined;
  readonly size: number;
};

export function fairQueue<T>(): FairQueue<T> {
  /** Next connection first; nearly all have a single request. */
  const queues = new Map<object, T[]>();
  let size = 0;
  return {
    add: (connection, item) => {
      size++;
      const queue = queues.get(connection);
      if (queue === undefined) queues.set(connection, [item]);
      else queue.push(item);
    },
    take: () => {
      const first = queues.entries().next().value;
      if (first === undefined) return undefined;
      const [connection, queue] = first;
      size--;
      queues.delete(connection);
      const item = queue.shift();
      if (queue.length > 0) queues.set(connection, queue);
      return item;
    },
    get size() {
      return size;
    },
  };
}
