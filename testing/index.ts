// `bellwire/testing`: a real server inside a test, in this process and with nothing on disk afterward.
import "./warm-up.ts";

export * from "./records.ts";
export { startBellwire } from "./server.ts";
export type * from "./types.ts";
