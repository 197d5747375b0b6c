// The ways to the servers of a PostgreSQL database, as numbers.
import { type Family, gauge } from "../../metrics/family.ts";
import type { Targets } from "./replicas/balancer.ts";

export function serverFamilies(targets: Targets): Family[] {
  const servers = targets.all.map((target) => ({ target, server: target.database.name }));
  const behind = targets.replicas.map((replica) => ({
    labels: { server: replica.database.name },
    value: targets.lag(replica) / 1000,
  }));
  return [
    gauge(
      "bellwire_database_up",
      "1 when the server can be reached.",
      servers.map(({ target, server }) => ({ labels: { server }, value: target.isUp ? 1 : 0 })),
      "max",
    ),
    gauge(
      "bellwire_database_connections",
      "Connections of the pool that are in use and idle, and requests that wait for one.",
      servers.flatMap(({ target, server }) =>
        Object.entries(target.database.load).map(([state, value]) => ({ labels: { server, state }, value })),
      ),
    ),
    gauge(
      "bellwire_replica_lag_seconds",
      "How far behind a replica may be at most.",
      // How far one is that is away, nobody knows.
      behind.filter(({ value }) => Number.isFinite(value)),
      "max",
    ),
  ];
}
