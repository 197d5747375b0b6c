// The client: a property for each list of the server.
import { type Lists, lists } from "./catalog.ts";
import { AnyList } from "./list.ts";
import type { ListSpec } from "./parameters.ts";
import { type Options, Transport } from "./transport.ts";

function createClient(options: Options): Lists {
  const transport = new Transport(options);
  const client: Record<string, AnyList> = {};
  for (const [name, spec] of Object.entries<ListSpec>(lists))
    client[name] = new AnyList(spec, transport, options.cache, client);
  return client as unknown as Lists;
}

export type Bellwire = Lists;

/**
 *     const api = new Bellwire({ url: "http://127.0.0.1:8080", token });
 *     for await (const rating of api.ratings.list({ tickers: ["AAPL"] })) console.log(rating.rating_current);
 */
export const Bellwire = class {
  constructor(options: Options) {
    Object.assign(this, createClient(options));
  }
} as new (
  options: Options,
) => Lists;
