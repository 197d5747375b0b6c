// Timed-out connections whose clients never close their end: how many the server still has open after that.
import { setTimeout as pause } from "node:timers/promises";
import { socketsOf } from "../processes.ts";
import { open } from "../raw-client.ts";
import { benchData, startStage } from "../stage.ts";
import type { Scenario } from "./finding.ts";

const connections = 60;
const waitSeconds = 66;

export const silentConnections: Scenario = {
  name: "silent connections",
  run: async ({ say }) => {
    const stage = await startStage(await benchData(say));
    try {
      const before = socketsOf(stage.pid);
      const tally = new Map<string, number>();
      const sockets = Array.from({ length: connections }, (_, place) => {
        const socket = open(stage.target, tally, () => {}, { allowHalfOpen: true });
        if (place % 2 === 1) socket.write("GET /api/v2/news HTTP/1.1\r\nHost: soak\r\n");
        return socket;
      });
      await pause(1000);
      const opened = socketsOf(stage.pid) - before;
      say(`${opened} connections open, ${waitSeconds} s to wait`);
      await pause(waitSeconds * 1000);
      const held = socketsOf(stage.pid) - before;
      for (const socket of sockets) socket.destroy();
      return [
        { what: "connections that were open", value: `${opened}` },
        { what: `held ${waitSeconds} s later`, value: `${held}`, target: "0", isMet: held === 0 },
      ];
    } finally {
      await stage.stop();
    }
  },
};
