// Metrics of the servers of a PostgreSQL database and their connection pools.
import { type Family, gauge } from "../../metrics/family.ts";
import type { Balancer } from "./replicas/balancer.ts";

export function serverMetrics(balancer: Balancer): Family[] {
  const servers = balancer.all.map((node) => ({ node, server: node.pool.name }));
  const lags = balancer.replicas.map((replica) => ({
    labels: { server: replica.pool.name },
    value: balancer.lag(replica) / 1000,
  }));
  return [
    gauge(
      "bellwire_database_up",
      "1 if the server is reachable.",
      servers.map(({ node, server }) => ({ labels: { server }, value: node.isUp ? 1 : 0 })),
      "max",
    ),
    gauge(
      "bellwire_database_connections",
      "Pool connections in use and idle, and requests waiting for one.",
      servers.flatMap(({ node, server }) =>
        Object.entries(node.pool.connectionCounts).map(([state, value]) => ({ labels: { server, state }, value })),
      ),
    ),
    gauge(
      "bellwire_replica_lag_seconds",
      "Upper bound of the replication lag.",
      // Unknown while a replica is down.
      lags.filter(({ value }) => Number.isFinite(value)),
      "max",
    ),
  ];
}
