// Stands in for the demo's records in the process under test: those of the last three months, a sixth of all.
import { demoParts as allParts, type DemoOptions, type DemoPart } from "../../../demo/demo.ts";

const quarterMs = 91 * 86_400_000;

export function demoParts(options: DemoOptions): Generator<DemoPart> {
  const from = new Date(Date.parse(options.today) - quarterMs).toISOString().slice(0, 10);
  return allParts({ ...options, from });
}
