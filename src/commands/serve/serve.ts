// `serve`: runs the server.
import type { Command } from "../command.ts";
import { serveSettings } from "./settings.ts";

export const serveCommand: Command = {
  maxArgs: 0,
  settings: serveSettings,
  // Neither help nor an invalid flag loads the server.
  run: async ({ config }) => (await import("./run.ts")).serve(config),
};
