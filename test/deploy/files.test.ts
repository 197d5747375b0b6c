// The deployment files refer only to existing metrics, settings, and directories.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, globSync, readFileSync } from "node:fs";
import { describe, test } from "node:test";
import { environmentName, settings } from "../../src/config.ts";
import { mirrorMetrics } from "../../src/mirror/metrics.ts";
import type { MirrorStatus } from "../../src/mirror/status.ts";
import { DeliveryStatistics } from "../../src/webhooks/metrics.ts";
import { startApi } from "../support/clients/api.ts";

const file = (name: string): string => readFileSync(name, "utf8");

/** Names of metrics, including the series of histograms. */
async function exposedNames(): Promise<Set<string>> {
  const api = await startApi({ metricsOpen: true });
  try {
    await api.has("news", [{ id: 1 }]);
    await api.get("/api/v2/news");
    const { text } = await api.request("/metrics");
    const exposed = [...text.matchAll(/^# TYPE (\w+) (\w+)$/gm)].flatMap(([, name = "", kind]) =>
      kind === "histogram" ? [`${name}_bucket`, `${name}_count`, `${name}_sum`] : [name],
    );
    const status = { resources: [], budget: {}, errors: {}, feed: null } as unknown as MirrorStatus;
    const ofPostgres = ["database_up", "database_connections", "replica_lag_seconds"];
    return new Set([
      ...exposed,
      ...new DeliveryStatistics()
        .families()
        .flatMap(({ name, type }) =>
          type === "histogram" ? [`${name}_bucket`, `${name}_count`, `${name}_sum`] : [name],
        ),
      ...mirrorMetrics(status).map(({ name }) => name),
      ...ofPostgres.map((name) => `bellwire_${name}`),
    ]);
  } finally {
    await api.close();
  }
}

const namesIn = (expression: string): string[] => expression.match(/\b(?:bellwire|process|nodejs)_\w+/g) ?? [];

describe("deployment files", () => {
  test("the dashboard and the alerts use metrics that the server exposes", async () => {
    const exposed = await exposedNames();
    const { panels } = JSON.parse(file("deploy/grafana-dashboard.json")) as {
      panels: { targets?: { expr: string }[] }[];
    };
    const expressions = panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr));
    const alerts = [...file("deploy/prometheus-alerts.yml").matchAll(/^ +expr: (.*)$/gm)].map(
      (match) => match[1] ?? "",
    );
    assert.ok(expressions.length > 20 && alerts.length > 5);
    for (const expression of [...expressions, ...alerts])
      for (const name of namesIn(expression)) assert.ok(exposed.has(name), `no server exposes ${name}`);
  });

  test("the metrics page documents each of them, and no other", async () => {
    const exposed = [...(await exposedNames())].map((name) => name.replace(/_(bucket|sum|count)$/, ""));
    const described = [...file("docs/operations/metrics.md").matchAll(/^\| `((?:bellwire|process|nodejs)_\w+)`/gm)].map(
      (match) => match[1],
    );
    assert.deepEqual([...new Set(described)].sort(), [...new Set(exposed)].sort());
  });

  test("the unit and the image start an existing command with existing settings as an unprivileged user", () => {
    const known = new Set(Object.keys(settings).map(environmentName));
    const [unit, image] = [file("deploy/bellwire.service"), file("Dockerfile")];
    const variables = [...unit.matchAll(/^Environment=(BELLWIRE_\w+)/gm), ...image.matchAll(/(BELLWIRE_\w+)=/g)];
    for (const [, name = ""] of variables) assert.ok(known.has(name), name);
    assert.ok(variables.length >= 4);
    assert.match(unit, /^ExecStart=\S+ (--\S+ )*\S+\/dist\/src\/cli\.js serve --no-demo$/m);
    assert.match(unit, /^DynamicUser=yes$/m);
    const run = image.slice(image.lastIndexOf("\nFROM "));
    assert.match(run, /^USER node$/m);
    assert.ok(run.indexOf("USER node") < run.indexOf("ENTRYPOINT"));
    assert.doesNotMatch(image, /npm (ci|install|prune)(?![^\n&]*--ignore-scripts)/);
  });

  test("no V8 flags are needed: the program sets them in one file", () => {
    const { scripts } = JSON.parse(file("package.json"));
    const starts = [
      scripts.start,
      scripts.bellwire,
      file("deploy/bellwire.service"),
      file("Dockerfile"),
      file("src/cli.js"),
    ];
    for (const text of starts) assert.doesNotMatch(text, /node"?,? "?--/);
    const setters = globSync("src/**/*.ts").filter((each) => file(each).includes("setFlagsFromString"));
    assert.deepEqual(setters, ["src/commands/shared/heap.ts"]);
  });

  test("the build context contains what the image copies and nothing else", () => {
    const allowed = [...file(".dockerignore").matchAll(/^!(\S+)$/gm)].map((match) => match[1] ?? "");
    const copied = [...file("Dockerfile").matchAll(/^COPY (?!--from)(.*) \S+$/gm)].flatMap((match) =>
      match[1]?.split(" "),
    );
    assert.deepEqual([...new Set(copied)].sort(), [...allowed].sort());
    for (const name of allowed) assert.ok(existsSync(name), name);
    assert.match(file(".dockerignore"), /^\*$/m);
  });

  test("the image and the package contain the sources of the page, and the build creates it", () => {
    const { scripts, files } = JSON.parse(file("package.json"));
    assert.match(scripts.build, /&& npm run page$/);
    assert.equal(scripts.prepack, "npm run build");
    assert.match(scripts.page, /^vite build --config web\/vite\.config\.ts$/);
    assert.ok(files.includes("dist"));
    assert.ok(file("web/vite.config.ts").includes('outDir: here("../dist/page")'));
    const build = file("Dockerfile").split(/^FROM /m)[1] ?? "";
    assert.match(build, /^COPY web \.\/web$/m);
    assert.ok(build.indexOf("COPY web") < build.indexOf("RUN npm run build"));
    for (const steps of [build, file("docs/operations/deploy.md")])
      assert.match(steps, /npm ci --ignore-scripts[\s\S]*npm run build && npm prune --omit=dev --ignore-scripts/);
  });

  test("the package contains its dependencies, each in one exact version", () => {
    const { dependencies, bundleDependencies } = JSON.parse(file("package.json"));
    assert.equal(bundleDependencies, true);
    for (const [name, version] of Object.entries(dependencies)) assert.match(String(version), /^\d+\.\d+\.\d+$/, name);
  });

  test("the bill of materials lists all production dependencies and nothing else, with valid links", () => {
    const text = execFileSync(process.execPath, ["deploy/sbom.ts"], { encoding: "utf8" });
    type Part = {
      name: string;
      version: string;
      purl: string;
      licenses: unknown[];
      "bom-ref": string;
      hashes: object[];
    };
    const bill = JSON.parse(text) as { components: Part[]; dependencies: { ref: string; dependsOn: string[] }[] };
    const { packages } = JSON.parse(file("package-lock.json")) as { packages: Record<string, { dev?: boolean }> };
    const expected = Object.keys(packages).filter((path) => path !== "" && packages[path]?.dev !== true);
    assert.deepEqual(bill.components.map((each) => each["bom-ref"]).sort(), expected.sort());
    const { dependencies, devDependencies } = JSON.parse(file("package.json"));
    const names = bill.components.map(({ name }) => name);
    for (const name of Object.keys(dependencies)) assert.ok(names.includes(name), name);
    for (const name of ["typescript", "fast-check", "@biomejs/biome"]) {
      assert.ok(name in devDependencies && !names.includes(name), name);
    }
    for (const { name, version, purl, licenses } of bill.components) {
      assert.equal(purl, `pkg:npm/${name.replace("@", "%40")}@${version}`);
      assert.equal(licenses.length, 1, name);
    }
    const refs = new Set(["bellwire", ...bill.components.map((each) => each["bom-ref"])]);
    for (const { ref, dependsOn } of bill.dependencies)
      for (const each of [ref, ...dependsOn]) assert.ok(refs.has(each), each);
    const [own] = bill.dependencies;
    assert.equal(own?.dependsOn.length, Object.keys(dependencies).length);
  });

  test("no production dependency has an install script", () => {
    const { packages } = JSON.parse(file("package-lock.json")) as {
      packages: Record<string, { dev?: boolean; hasInstallScript?: boolean }>;
    };
    const scripted = Object.entries(packages).filter(([, { dev, hasInstallScript }]) => !dev && hasInstallScript);
    assert.deepEqual(
      scripted.map(([path]) => path),
      [],
    );
  });
});
