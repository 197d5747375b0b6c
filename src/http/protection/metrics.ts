// Metrics of connections, in-flight responses, and rejected work.
import { counter, type Family, gauge, plain } from "../../metrics/family.ts";
import type { InFlight } from "./in-flight.ts";
import type { Protection } from "./protection.ts";

export function protectionMetrics(
  { connections, pipelining, slowClients, largePages }: Protection,
  inFlight: InFlight,
): Family[] {
  return [
    gauge("bellwire_connections", "Open connections of clients.", plain(connections.open)),
    gauge("bellwire_answers_under_way", "Requests whose response has not been sent.", plain(inFlight.responses.length)),
    gauge("bellwire_large_pages_waiting", "Large pages waiting in the queue.", plain(largePages.waiting)),
    counter("bellwire_turned_away_total", "Work rejected or aborted to protect the rest.", [
      { labels: { what: "connection" }, value: connections.refused },
      { labels: { what: "pipeline" }, value: pipelining.refused },
      { labels: { what: "slow reader" }, value: slowClients.cut },
      { labels: { what: "large page" }, value: largePages.refused },
    ]),
  ];
}
