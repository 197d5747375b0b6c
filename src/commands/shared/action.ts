// Finds the action of a command such as `keys`.
import { UsageError } from "../../config.ts";
import { suggestion } from "../../core/text/closest-name.ts";

export function actionOf<T>(command: string, actions: Readonly<Record<string, T>>, action: string | undefined): T {
  const found = action !== undefined && Object.hasOwn(actions, action) ? actions[action] : undefined;
  if (found !== undefined) return found;
  const names = Object.keys(actions);
  const received = action === undefined ? "nothing" : `"${action}"${suggestion(action, names)}`;
  throw new UsageError(`${command}: expected ${names.join(", ")}, got ${received}`);
}
