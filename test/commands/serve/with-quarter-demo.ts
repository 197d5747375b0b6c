// For the process under test: puts quarter-demo.ts in the place of the demo's records.
import { registerHooks } from "node:module";

const part = new URL("quarter-demo.ts", import.meta.url).href;

registerHooks({
  resolve: (specifier, context, next) =>
    next(specifier === "../../../demo/demo.ts" && context.parentURL !== part ? part : specifier, context),
});
