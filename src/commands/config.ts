// `config`: prints every setting and where its value comes from, without secrets.
import { environmentName, type SettingName, settings } from "../config.ts";
import { redactKeys } from "../keys/redact.ts";
import { isPostgres, parseList, type Setting } from "../settings/setting.ts";
import { type Command, print } from "./command.ts";
import { serveSettings } from "./serve/settings.ts";
import { table } from "./shared/table.ts";

/** `null` means that the value depends on the database. */
type SettingRow = { readonly setting: string; readonly value: string | null; readonly from: string };

export const configCommand: Command = {
  maxArgs: 0,
  settings: serveSettings,
  options: { json: { help: "print settings as JSON" } },
  run: async ({ config, options }) => {
    const shown = serveSettings.map((name): SettingRow => {
      const flag = options[name];
      const { fallback }: Setting = settings[name];
      const provided = config.provided(name);
      if (provided === undefined) return { setting: name, value: fallback ?? null, from: "default" };
      const from = flag === undefined ? environmentName(name) : `--${flag === false ? "no-" : ""}${name}`;
      return { setting: name, value: redact(name, provided), from };
    });
    if (options.json === true) print(JSON.stringify(shown, null, 2));
    else print(table(["SETTING", "VALUE", "FROM"], shown.map(cells)));
    return 0;
  },
};

const cells = ({ setting, value, from }: SettingRow): string[] => [
  setting,
  value === null ? "(set by the database)" : value === "" ? "(empty)" : value,
  from,
];

/** Removes password and query from database addresses; hides other secrets entirely. */
function redact(name: SettingName, text: string): string {
  const { secret }: Setting = settings[name];
  if (parseList(text).some(isPostgres)) return parseList(text).map(redactPassword).join(",");
  // Validated to have no credentials and no query.
  if (name === "mirror") return text;
  return secret && text !== "" ? "(set, not shown)" : redactKeys(text);
}

function redactPassword(address: string): string {
  if (!URL.canParse(address)) return "(set, not shown)";
  const { protocol, username, host, pathname, search } = new URL(address);
  const user = username === "" ? "" : `${username}@`;
  return redactKeys(`${protocol}//${user}${host}${pathname}${search === "" ? "" : "?…"}`);
}
