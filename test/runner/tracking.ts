// Ends the tracking of promises by node:test once all tests are registered. It tracks them with an asynchronous hook, to
// learn which suite a test belongs to and which test caused an uncaught error. With that hook, an `await` takes thirty
// times as long as in production, and no option disables it.
import { type AsyncHook, createHook } from "node:async_hooks";
import { inspect } from "node:util";

const prototype = Object.getPrototypeOf(createHook({})) as AsyncHook;
const { enable } = prototype;
let hook: AsyncHook | undefined;

// The first hook that is enabled from now on is that of node:test.
prototype.enable = function (this: AsyncHook): AsyncHook {
  hook = this;
  prototype.enable = enable;
  return this.enable();
};

/** From now on, an uncaught error ends the process, since node:test can't fail the test that caused it. */
export function endTracking(): void {
  hook?.disable();
  for (const event of ["uncaughtException", "unhandledRejection"])
    process.on(event, (error: unknown) => {
      process.stderr.write(`${event}: ${inspect(error)}\n`);
      process.exit(1);
    });
}
