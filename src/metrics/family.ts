// Metric families: what this server counts, in the form that the Prometheus client aggregates over processes and prints.
import { createRequire } from "node:module";
import type { Registry } from "@prometheus-io/client";
import type { Histogram } from "./histogram.ts";

export type Labels = Readonly<Record<string, string>>;

export type Sample = {
  /** Where it isn't the family's name: histograms have samples of three names. */
  readonly metricName?: string;
  readonly labels: Labels;
  readonly value: number;
};

export type Family = {
  readonly name: string;
  readonly type: "counter" | "gauge" | "histogram";
  readonly help: string;
  /** How the values of several processes become one. What all of them read in the same place is no sum. */
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

/** Its registry alone: the whole package takes 17 MB, and nothing here counts with it. Loaded when first needed. */
const loadRegistry = (): typeof Registry => createRequire(import.meta.url)("@prometheus-io/client/lib/registry.js");

/** The families of several processes as if they were one. A family without a sample is left out: nothing is known of it. */
export const aggregate = (processes: readonly (readonly Family[])[]): Registry =>
  loadRegistry().aggregate(processes.map((families) => families.filter(({ values }) => values.length > 0)));

/** The text that Prometheus reads. Aggregation parts the samples of a histogram by name; some readers want each series whole. */
export async function exposition(registry: Registry): Promise<string> {
  for (const family of await registry.getMetricsAsJSON()) {
    const series = Map.groupBy(family.values, ({ labels: { le, ...labels } }) => JSON.stringify(labels));
    family.values = [...series.values()].flat();
  }
  return (await registry.metrics()).replaceAll("\n\n", "\n");
}
