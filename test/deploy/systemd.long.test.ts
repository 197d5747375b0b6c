// The systemd steps of docs/operations/deploy.md, followed as written, give a server with its page, its reference, and
// its lists. Long: they install and build from scratch, which needs npm's registry or cache.
import { appendFileSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { blocks } from "../docs/page-commands.ts";
import { copySource, emptyDirectory, expectDeployed, follow, freshShell, standIns } from "./following.ts";

const [systemd = "", onSystemd = ""] = blocks("docs/operations/deploy.md", "sh");

test("the systemd steps deploy a server with its page", async () => {
  const root = emptyDirectory("systemd");
  const inRoot = (text: string): string => text.replace(/(?<=^|[\s=(-])\/(?=(?:opt|etc|var)\/)/gm, `${root}/`);
  const programs = standIns(emptyDirectory("systemd/stand-ins"), {
    git: "# The files are there already.",
    systemctl: "",
    "systemd-run":
      'while :; do case $1 in --setenv=*) export "$(echo "$1" | cut -d= -f2-)";; --*) ;; *) exec "$@";; esac; shift; done',
  });
  for (const directory of ["opt/bellwire", "etc/systemd/system", "var/lib/bellwire"])
    mkdirSync(join(root, directory), { recursive: true });
  copySource(join(root, "opt/bellwire"));
  const place = { cwd: root, env: freshShell(programs) };
  await follow(inRoot(systemd), place);

  appendFileSync(join(root, "etc/bellwire.env"), "BELLWIRE_PORT=0\n");
  const unit = inRoot(readFileSync(join(root, "etc/systemd/system/bellwire.service"), "utf8"));
  const variables = [...unit.matchAll(/^Environment=(\S+)$/gm)].map(([, variable]) => variable);
  const command = /^ExecStart=\/usr\/bin\/(node .*)$/m.exec(unit)?.[1];
  const file = /^EnvironmentFile=-(.*)$/m.exec(unit)?.[1];
  await expectDeployed(
    inRoot(onSystemd),
    `export ${variables.join(" ")}; set -a; . ${file}; set +a; cd /; exec ${command}`,
    place,
  );
});
