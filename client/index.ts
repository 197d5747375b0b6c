// `bellwire/client`: reads any server with this interface. No dependencies; Node 20, browsers, Deno, Bun.
export { Bellwire } from "./bellwire.ts";
export type * from "./catalog.ts";
export { BellwireError, type ParameterError, type Problem } from "./error.ts";
export type { FollowOptions, List, Page, RequestOptions, StreamedList } from "./list.ts";
export type { Change } from "./stream.ts";
export type { Cache, CachedPage, Limit, Options } from "./transport.ts";
