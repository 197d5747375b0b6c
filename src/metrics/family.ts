// Metric families, in the form that the Prometheus client aggregates over processes and prints.
import { createRequire } from "node:module";
import type { Registry } from "@prometheus-io/client";
import type { Histogram } from "./histogram.ts";

export type Labels = Readonly<Record<string, string>>;

export type Sample = {
  /** If it differs from the family's name: histograms have samples of three names. */
  readonly metricName?: string;
  readonly labels: Labels;
  readonly value: number;
};

export type Family = {
  readonly name: string;
  readonly type: "counter" | "gauge" | "histogram";
  readonly help: string;
  /** How the values of several processes are combined; values that all of them share are not summed. */
  readonly aggregator: "sum" | "max";
  readonly values: readonly Sample[];
};

export const counter = (name: string, help: string, values: readonly Sample[]): Family => ({
  name,
  type: "counter",
  help,
  aggregator: "sum",
  values,
});

export const gauge = (
  name: string,
  help: string,
  values: readonly Sample[],
  aggregator: Family["aggregator"] = "sum",
): Family => ({ name, type: "gauge", help, aggregator, values });

export const histogram = (name: string, help: string, series: readonly (readonly [Labels, Histogram])[]): Family => ({
  name,
  type: "histogram",
  help,
  aggregator: "sum",
  values: series.flatMap(([labels, times]) => times.samples(name, labels)),
});

export const plain = (value: number): Sample[] => [{ labels: {}, value }];

/** Only the registry, and lazily: the whole package takes 17 MB. */
const loadRegistry = (): typeof Registry => createRequire(import.meta.url)("@prometheus-io/client/lib/registry.js");

/** Combines the families of several processes. Families without samples are omitted. */
export const aggregate = (processes: readonly (readonly Family[])[]): Registry =>
  loadRegistry().aggregate(processes.map((families) => families.filter(({ values }) => values.length > 0)));

/** The Prometheus text format. Aggregation groups histogram samples by name; some parsers need each series contiguous. */
export async function exposition(registry: Registry): Promise<string> {
  for (const family of await registry.getMetricsAsJSON()) {
    const series = Map.groupBy(family.values, ({ labels: { le, ...labels } }) => JSON.stringify(labels));
    family.values = [...series.values()].flat();
  }
  return (await registry.metrics()).replaceAll("\n\n", "\n");
}
