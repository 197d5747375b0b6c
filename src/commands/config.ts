// `config`: every setting as it would be used, and where it comes from; what is secret is not shown.
import { environmentName, type SettingName, settings } from "../config.ts";
import { hideKeys } from "../keys/redact.ts";
import { isPostgres, listOf, type Setting } from "../settings/setting.ts";
import { type Command, say } from "./command.ts";
import { serveSettings } from "./serve/settings.ts";
import { table } from "./shared/table.ts";

/** A value that is null is left to the database, or to what the database can do. */
type Shown = { readonly setting: string; readonly value: string | null; readonly from: string };

export const configCommand: Command = {
  mostWords: 0,
  settings: serveSettings,
  options: { json: { help: "as JSON" } },
  run: async ({ config, options }) => {
    const shown = serveSettings.map((name): Shown => {
      const flag = options[name];
      const { fallback }: Setting = settings[name];
      const given = config.given(name);
      if (given === undefined) return { setting: name, value: fallback ?? null, from: "default" };
      const from = flag === undefined ? environmentName(name) : `--${flag === false ? "no-" : ""}${name}`;
      return { setting: name, value: withoutSecrets(name, given), from };
    });
    if (options.json === true) say(JSON.stringify(shown, null, 2));
    else say(table(["SETTING", "VALUE", "FROM"], shown.map(row)));
    return 0;
  },
};

const row = ({ setting, value, from }: Shown): string[] => [
  setting,
  value === null ? "(by the database)" : value === "" ? "(empty)" : value,
  from,
];

/** Of addresses of databases the password and whatever else may be one is left out; of other secrets all. */
function withoutSecrets(name: SettingName, text: string): string {
  const { secret }: Setting = settings[name];
  if (listOf(text).some(isPostgres)) return listOf(text).map(withoutPassword).join(",");
  // It was checked to be an address without a user and a query.
  if (name === "mirror") return text;
  return secret && text !== "" ? "(set, not shown)" : hideKeys(text);
}

function withoutPassword(address: string): string {
  if (!URL.canParse(address)) return "(set, not shown)";
  const { protocol, username, host, pathname, search } = new URL(address);
  const user = username === "" ? "" : `${username}@`;
  return hideKeys(`${protocol}//${user}${host}${pathname}${search === "" ? "" : "?…"}`);
}
