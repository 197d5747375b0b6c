// Follows a Dockerfile without a container: each stage is a directory that stands for the root of its file system.
// It knows the instructions that ours uses. The base images' users are missing, so ownership is left out.
import { cpSync, mkdirSync, readFileSync, statSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { copySource, emptyDirectory, follow, sourceFiles } from "./following.ts";

export type Image = {
  readonly root: string;
  readonly env: Readonly<Record<string, string>>;
  readonly entrypoint: readonly string[];
  readonly healthCheck: readonly string[];
};

type Stage = { readonly root: string; workdir: string; env: Record<string, string>; words: Record<string, string[]> };

/** Absolute paths, as they are in the image, within the directory that stands for its root. */
export const within = (root: string, text: string): string =>
  text.replace(/(^|[\s=])\/(?=(?:app|build|data)\b)/g, `$1${root}/`);

/** The build context: what .dockerignore, which excludes everything first, lets through again. */
function buildContext(): string {
  const allowed = [...readFileSync(".dockerignore", "utf8").matchAll(/^!(\S+)$/gm)].map(([, name]) => String(name));
  const context = emptyDirectory("docker-context");
  const isAllowed = (file: string): boolean => allowed.some((name) => file === name || file.startsWith(`${name}/`));
  copySource(context, sourceFiles().filter(isAllowed));
  return context;
}

function copy(stage: Stage, source: string, argument: string): void {
  const names = argument.replace(/^--from=\S+ /, "").split(" ");
  const target = resolve(join(stage.root, stage.workdir), within(stage.root, names.pop() ?? ""));
  for (const name of names) {
    const from = join(source, name);
    if (statSync(from).isDirectory()) cpSync(from, target, { recursive: true, verbatimSymlinks: true });
    else cpSync(from, join(target, basename(name)));
  }
}

/** Runs every step of the Dockerfile in a fresh environment, and returns the last stage. */
export async function buildImage(env: Readonly<Record<string, string>>): Promise<Image> {
  const context = buildContext();
  const stages = new Map<string, Stage>();
  let stage: Stage = { root: context, workdir: "/", env: {}, words: {} };
  for (const line of readFileSync("Dockerfile", "utf8").split("\n")) {
    const [, instruction = "", argument = ""] = /^([A-Z]+) (.*)$/.exec(line) ?? [];
    if (instruction === "FROM") {
      const name = / AS (\w+)$/.exec(argument)?.[1] ?? "final";
      stage = { root: emptyDirectory(`docker-${name}`), workdir: "/", env: {}, words: {} };
      stages.set(name, stage);
    } else if (instruction === "WORKDIR") {
      stage.workdir = argument;
      mkdirSync(join(stage.root, argument), { recursive: true });
    } else if (instruction === "ENV") {
      for (const [, name = "", value = ""] of argument.matchAll(/(\w+)=(\S+)/g))
        stage.env[name] = within(stage.root, value);
    } else if (instruction === "COPY") {
      const from = /^--from=(\w+) /.exec(argument)?.[1];
      copy(stage, from === undefined ? context : String(stages.get(from)?.root), argument);
    } else if (instruction === "RUN") {
      const command = within(stage.root, argument.replace("-o node -g node ", ""));
      await follow(command, { cwd: join(stage.root, stage.workdir), env: { ...env, ...stage.env } });
    } else if (["ENTRYPOINT", "HEALTHCHECK"].includes(instruction)) {
      stage.words[instruction] = JSON.parse(argument.slice(argument.indexOf("["))) as string[];
    } else if (!/^(#.*|)$/.test(line) && !["USER", "VOLUME", "EXPOSE", "STOPSIGNAL", "CMD"].includes(instruction))
      throw new Error(`the test doesn't know how to follow: ${line}`);
  }
  const { root, words } = stage;
  return { root, env: stage.env, entrypoint: words.ENTRYPOINT ?? [], healthCheck: words.HEALTHCHECK ?? [] };
}
