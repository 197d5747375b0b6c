// Checks the machine and the settings: versions, sizes, and what is exposed to the network.
import { availableParallelism, totalmem } from "node:os";
import { type Config, environmentName, settings } from "../../config.ts";
import { type Finding, fault, ok, warning } from "./finding.ts";
import { checkOpenFiles } from "./open-files.ts";

const minNodeVersion = 24;

export function checkMachine(config: Config, environment: NodeJS.ProcessEnv): Finding[] {
  const findings = [checkNode(), ...checkVariableNames(environment), ...checkExposure(config), ...checkSizes(config)];
  return findings.some(({ check, level }) => check === "settings" && level !== "ok")
    ? findings
    : [...findings, ok("settings", "all are valid and fit this machine")];
}

function checkNode(): Finding {
  const { node, tz } = process.versions;
  const about = `Node.js ${node}, time zone data ${tz}`;
  return Number(node.split(".")[0]) >= minNodeVersion
    ? ok("node", about)
    : fault("node", about, `use Node.js ${minNodeVersion} or newer`);
}

/** A misspelled variable has no effect, so it is reported here. */
function checkVariableNames(environment: NodeJS.ProcessEnv): Finding[] {
  // `tail` has the other two.
  const known = new Set([...Object.keys(settings), "url", "token"].map(environmentName));
  return Object.keys(environment)
    .filter((name) => name.startsWith("BELLWIRE_") && !known.has(name))
    .map((name) => warning("settings", `${name} is not a setting`, "see: bellwire help serve"));
}

/** Whether only this machine can reach a host. */
export const isLocal = (host: string): boolean => /^(localhost|127\.|\[?::1\]?$)/.test(host);

function checkExposure(config: Config): Finding[] {
  const isPublic = !isLocal(config.get("host"));
  const hasAdminPort = config.get("admin-port") !== "";
  const findings: Finding[] = [];
  if (config.get("test-mode") === "true") {
    const found = "test-mode is on: clients can inject faults, and admin keys can set the clock";
    findings.push((isPublic ? fault : warning)("settings", found, "remove --test-mode where real clients are served"));
  }
  if (isPublic && !hasAdminPort) {
    const found = "admin endpoints are served on the public port, to admin keys";
    findings.push(warning("settings", found, "move them to a separate port with --admin-port"));
  }
  if (config.get("metrics-open") === "true" && !isLocal(config.get(hasAdminPort ? "admin-host" : "host"))) {
    const found = "metrics are exposed without authentication to anyone who can reach the port";
    findings.push(warning("settings", found, "remove --metrics-open, or restrict access to the scraper"));
  }
  return findings;
}

function checkSizes(config: Config): Finding[] {
  const workers = Number(config.get("workers"));
  const findings: Finding[] = [];
  if (workers > availableParallelism()) {
    const found = `${workers} workers on ${availableParallelism()} CPUs`;
    findings.push(warning("settings", found, "set --workers to at most the number of CPUs"));
  }
  const cacheBytes = workers * Number(config.get("cache-mb")) * 1024 * 1024;
  if (cacheBytes > totalmem() / 2) {
    const found = `the response caches may take ${Math.round(cacheBytes / 1e6)} MB of ${Math.round(totalmem() / 1e6)} MB of memory`;
    findings.push(warning("settings", found, "lower --cache-mb or --workers"));
  }
  const files = checkOpenFiles(config);
  return files === undefined ? findings : [...findings, files];
}
