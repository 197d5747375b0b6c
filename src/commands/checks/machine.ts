// The machine and the settings: what they can't give together, and what should not be open to the world.
import { availableParallelism, totalmem } from "node:os";
import { type Config, environmentName, settings } from "../../config.ts";
import { type Finding, fault, fine, warning } from "./finding.ts";
import { checkOpenFiles } from "./open-files.ts";

const oldestNode = 24;

export function checkMachine(config: Config, environment: NodeJS.ProcessEnv): Finding[] {
  const findings = [checkNode(), ...checkNames(environment), ...checkOpenness(config), ...checkSizes(config)];
  return findings.some(({ check, level }) => check === "settings" && level !== "ok")
    ? findings
    : [...findings, fine("settings", "all are understood and fit this machine")];
}

function checkNode(): Finding {
  const { node, tz } = process.versions;
  const about = `Node.js ${node}, time zones of ${tz}`;
  return Number(node.split(".")[0]) >= oldestNode
    ? fine("node", about)
    : fault("node", about, `run it with Node.js ${oldestNode} or newer`);
}

/** A misspelt variable is silently without effect; here it is told. */
function checkNames(environment: NodeJS.ProcessEnv): Finding[] {
  const known = new Set(Object.keys(settings).map(environmentName));
  return Object.keys(environment)
    .filter((name) => name.startsWith("BELLWIRE_") && !known.has(name))
    .map((name) => warning("settings", `${name} is no setting`, "see: bellwire help serve"));
}

/** Whether only this machine can reach a host. */
export const isLocal = (host: string): boolean => /^(localhost|127\.|\[?::1\]?$)/.test(host);

function checkOpenness(config: Config): Finding[] {
  const isPublic = !isLocal(config.get("host"));
  const isApart = config.get("admin-port") !== "";
  const findings: Finding[] = [];
  if (config.get("test-mode") === "true") {
    const found = "test-mode is on: clients can ask for faults, and admin keys can set the clock";
    findings.push(
      (isPublic ? fault : warning)("settings", found, "leave --test-mode out where real clients are served"),
    );
  }
  if (isPublic && !isApart) {
    const found = "administration is served on the public port, to keys that may use it";
    findings.push(warning("settings", found, "give it a port of its own with --admin-port"));
  }
  if (config.get("metrics-open") === "true" && !isLocal(config.get(isApart ? "admin-host" : "host"))) {
    const found = "metrics are told to anyone who can reach the port";
    findings.push(warning("settings", found, "leave --metrics-open out, or let only the scraper in"));
  }
  return findings;
}

function checkSizes(config: Config): Finding[] {
  const workers = Number(config.get("workers"));
  const findings: Finding[] = [];
  if (workers > availableParallelism()) {
    const found = `${workers} workers on ${availableParallelism()} processors`;
    findings.push(warning("settings", found, "set --workers to the number of processors at most"));
  }
  const kept = workers * Number(config.get("cache-mb")) * 1024 * 1024;
  if (kept > totalmem() / 2) {
    const found = `answers in memory may take ${Math.round(kept / 1e6)} MB of ${Math.round(totalmem() / 1e6)} MB`;
    findings.push(warning("settings", found, "lower --cache-mb or --workers"));
  }
  const files = checkOpenFiles(config);
  return files === undefined ? findings : [...findings, files];
}
