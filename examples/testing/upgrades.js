// The code under test: counts upgrades by firm.
import { Bellwire } from "bellwire/client";

export async function upgradesByFirm({ url, token, dateFrom }) {
  const api = new Bellwire({ url, token });
  const counts = new Map();
  for await (const { analyst } of api.ratings.list({ dateFrom, action: "Upgrades" }))
    counts.set(analyst, (counts.get(analyst) ?? 0) + 1);
  return counts;
}
