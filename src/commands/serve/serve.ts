// `serve`: one process or several; on an empty database the demo first.
import type { Command } from "../command.ts";
import { serveSettings } from "./settings.ts";

export const serveCommand: Command = {
  mostWords: 0,
  settings: serveSettings,
  // A mistyped flag, or help, does not load the server.
  run: async ({ config }) => (await import("./run.ts")).serve(config),
};
