// Starts the one-hour baseline handler on the plain tables.
import { join } from "node:path";
import { type Contender, startProcess } from "../contender.ts";
import type { TopicOrder } from "./news.ts";

export const startHandler = (
  database: string,
  order: TopicOrder,
  helpers: readonly number[] = [],
): Promise<Contender> =>
  startProcess("handler", { args: [join(import.meta.dirname, "process.ts"), database, order], helpers });
