// How busy the server is, and what it turned away, as numbers.
import { counter, type Family, gauge, plain } from "../../metrics/family.ts";
import type { InFlight } from "./in-flight.ts";
import type { Protection } from "./protection.ts";

export function protectionMetrics({ connections, readers, turns }: Protection, inFlight: InFlight): Family[] {
  return [
    gauge("bellwire_connections", "Open connections of clients.", plain(connections.open)),
    gauge("bellwire_answers_under_way", "Requests whose answer has not been sent.", plain(inFlight.responses.length)),
    gauge("bellwire_large_pages_waiting", "Large pages that wait for their turn.", plain(turns.waiting)),
    counter("bellwire_turned_away_total", "Work that was not begun or not finished, so that the rest could be.", [
      { labels: { what: "connection" }, value: connections.refused },
      { labels: { what: "slow reader" }, value: readers.cut },
      { labels: { what: "large page" }, value: turns.refused },
    ]),
  ];
}
