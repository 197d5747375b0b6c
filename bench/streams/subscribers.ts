// Subscribers of streams as plain sockets, cheap enough for thousands in one process.
import { once } from "node:events";
import { connect, type Socket } from "node:net";

export type Subscribers = {
  /** How often each record has arrived. */
  readonly events: number;
  close(): void;
};

export type SubscriberOptions = {
  readonly url: URL;
  readonly token: string;
  readonly count: number;
  readonly pathOf: (index: number) => string;
  /** Never reads, not even the headers. */
  readonly isDeaf?: boolean;
  /** Called with the ID of every record that arrives. */
  readonly onRecord: (id: string) => void;
};

/** Connections that are opened at a time. */
const concurrent = 100;

export async function subscribe(options: SubscriberOptions): Promise<Subscribers> {
  const sockets: Socket[] = [];
  let events = 0;
  const open = async (index: number): Promise<void> => {
    const { hostname, port, host } = options.url;
    const socket = connect(Number(port), hostname);
    sockets.push(socket);
    socket.on("error", () => {});
    const headers = `Host: ${host}\r\nAuthorization: Bearer ${options.token}\r\n\r\n`;
    socket.write(`GET ${options.pathOf(index)} HTTP/1.1\r\n${headers}`);
    if (options.isDeaf === true) {
      await once(socket, "connect");
      return;
    }
    socket.setEncoding("latin1");
    await new Promise<void>((resolve, reject) => {
      let head = "";
      socket.on("data", (text: string) => {
        if (head.length < 12) {
          head += text;
          if (head.startsWith("HTTP/1.1 200")) resolve();
          else reject(new Error(`refused: ${head.slice(0, 500)}`));
        }
        for (const [, id] of text.matchAll(/data: \{"action":"\w+","id":"([^"]+)"/g)) {
          events++;
          options.onRecord(id ?? "");
        }
      });
    });
  };
  for (let at = 0; at < options.count; at += concurrent)
    await Promise.all(Array.from({ length: Math.min(concurrent, options.count - at) }, (_, index) => open(at + index)));
  return {
    get events() {
      return events;
    },
    close: () => {
      for (const socket of sockets) socket.destroy();
    },
  };
}
