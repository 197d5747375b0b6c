// `bellwire/testing`: a real server inside a test, in this process and with nothing on disk afterward.
export * from "./records.ts";
export { startBellwire } from "./server.ts";
export type * from "./types.ts";
