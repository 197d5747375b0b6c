// `npm run sbom`: the bill of materials of what is installed for production, as CycloneDX, from the lock file alone.
// Npm's own leaves out what a development dependency needs as well. The same lock file gives the same bytes.
import { readFileSync } from "node:fs";

type Locked = {
  readonly version?: string;
  readonly license?: string;
  readonly integrity?: string;
  readonly dev?: boolean;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
};

const lock = JSON.parse(readFileSync(new URL("../package-lock.json", import.meta.url), "utf8")) as {
  readonly packages: Readonly<Record<string, Locked>>;
};

const installed = Object.entries(lock.packages).filter(([path, { dev }]) => path !== "" && dev !== true);

const nameAt = (path: string): string => path.slice(path.lastIndexOf("node_modules/") + "node_modules/".length);

/** `pkg:npm/%40scope/name@1.0.0`, as package URLs write a scope. */
const urlOf = (name: string, version = ""): string => `pkg:npm/${name.replace("@", "%40")}@${version}`;

/** Where Node.js finds a dependency of the package at a path: beside it, or beside one that it stands in. */
function found(path: string, dependency: string): string | undefined {
  for (let folder = path; ; folder = folder.slice(0, Math.max(0, folder.lastIndexOf("/node_modules/")))) {
    const place = `${folder === "" ? "" : `${folder}/`}node_modules/${dependency}`;
    if (lock.packages[place] !== undefined) return place;
    if (folder === "") return undefined;
  }
}

function component([path, { version, license, integrity }]: [string, Locked]): object {
  const name = nameAt(path);
  const [algorithm = "", digest = ""] = integrity?.split("-") ?? [];
  const isExpression = /[ ()]/.test(license ?? "");
  return {
    type: "library",
    "bom-ref": path,
    name,
    version,
    purl: urlOf(name, version),
    ...(license === undefined
      ? {}
      : { licenses: [isExpression ? { expression: license } : { license: { id: license } }] }),
    ...(digest === ""
      ? {}
      : {
          hashes: [
            {
              alg: algorithm.toUpperCase().replace("SHA", "SHA-"),
              content: Buffer.from(digest, "base64").toString("hex"),
            },
          ],
        }),
  };
}

const links = (path: string, { dependencies = {}, optionalDependencies = {} }: Locked): object => ({
  ref: path === "" ? "bellwire" : path,
  dependsOn: Object.keys({ ...dependencies, ...optionalDependencies })
    .map((name) => found(path, name))
    .filter((place) => place !== undefined)
    .sort(),
});

const own = lock.packages[""] ?? {};

const bill = {
  bomFormat: "CycloneDX",
  specVersion: "1.6",
  version: 1,
  metadata: {
    component: {
      type: "application",
      "bom-ref": "bellwire",
      name: "bellwire",
      version: own.version,
      purl: urlOf("bellwire", own.version),
      licenses: [{ license: { id: own.license } }],
    },
  },
  components: installed.map(component),
  dependencies: [links("", own), ...installed.map(([path, locked]) => links(path, locked))],
};

process.stdout.write(`${JSON.stringify(bill, null, 2)}\n`);
