// For the process under test: records every loaded module and writes the list on exit.
import { writeFileSync } from "node:fs";
import { registerHooks } from "node:module";

const loaded: string[] = [];
registerHooks({
  load: (url, context, next) => {
    loaded.push(url);
    return next(url, context);
  },
});
process.on("exit", () => writeFileSync(process.env.LOADED_MODULES ?? "", loaded.join("\n")));
