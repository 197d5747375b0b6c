// Numbers about a running service: families of samples, joined over several processes, printed in the text format that
// Prometheus and its kin read.

export type Sample = {
  /** What is added to the family's name; histograms have samples of three names. */
  readonly suffix?: "_bucket" | "_sum" | "_count";
  readonly labels: Labels;
  readonly value: number;
};

export type Labels = Readonly<Record<string, string>>;

export type Family = {
  readonly name: string;
  readonly kind: "counter" | "gauge" | "histogram";
  readonly help: string;
  /** How the numbers of several processes become one. What all of them read in the same place is no sum. */
  readonly join: "sum" | "largest";
  readonly samples: readonly Sample[];
};

export const counter = (name: string, help: string, samples: readonly Sample[]): Family => ({
  name,
  kind: "counter",
  help,
  join: "sum",
  samples,
});

export const gauge = (
  name: string,
  help: string,
  samples: readonly Sample[],
  join: Family["join"] = "sum",
): Family => ({ name, kind: "gauge", help, join, samples });

export const plain = (value: number): Sample[] => [{ labels: {}, value }];

/** The families of several processes as if they were one. A process may know a family that others do not. */
export function joined(processes: readonly (readonly Family[])[]): Family[] {
  const families = new Map<string, { family: Family; samples: Map<string, Sample> }>();
  for (const family of processes.flat()) {
    const found = families.get(family.name) ?? { family, samples: new Map<string, Sample>() };
    families.set(family.name, found);
    for (const sample of family.samples) {
      const place = `${sample.suffix ?? ""}${printLabels(sample.labels)}`;
      const other = found.samples.get(place);
      found.samples.set(place, other === undefined ? sample : { ...sample, value: both(family, sample, other) });
    }
  }
  return [...families.values()].map(({ family, samples }) => ({ ...family, samples: [...samples.values()] }));
}

const both = ({ join }: Family, a: Sample, b: Sample): number =>
  join === "sum" ? a.value + b.value : Math.max(a.value, b.value);

/** A family without a sample is left out: nothing is known of it. */
export function printFamilies(families: readonly Family[]): string {
  return families
    .filter(({ samples }) => samples.length > 0)
    .map(({ name, kind, help, samples }) =>
      [
        `# HELP ${name} ${help.replace(/\\/g, "\\\\").replace(/\n/g, "\\n")}\n`,
        `# TYPE ${name} ${kind}\n`,
        ...samples.map(({ suffix = "", labels, value }) => `${name}${suffix}${printLabels(labels)} ${value}\n`),
      ].join(""),
    )
    .join("");
}

function printLabels(labels: Labels): string {
  const pairs = Object.entries(labels).map(([name, value]) => `${name}="${escaped(value)}"`);
  return pairs.length === 0 ? "" : `{${pairs.join(",")}}`;
}

const escaped = (value: string): string => value.replace(/\\/g, "\\\\").replace(/"/g, '\\"').replace(/\n/g, "\\n");

/** What Prometheus is told that the text is. */
export const metricsType = "text/plain; version=0.0.4; charset=utf-8";
