// The page's time zone in the header bar, and the choice of another one.
import { useEffect, useState } from "preact/hooks";
import { exchangeZone, localZone, pageZone, selectZone } from "../api/time-zone.ts";
import { zoneCity, zoneCode } from "../format/time-zone.ts";

const otherZones = (): string[] => Intl.supportedValuesOf("timeZone");

export function ZoneSelect() {
  const zone = pageZone();
  const [all, setAll] = useState<readonly string[]>([]);
  // Hundreds of options can wait until the view is shown.
  useEffect(() => {
    const timer = setTimeout(() => setAll(otherZones()), 1000);
    return () => clearTimeout(timer);
  }, []);
  const common = new Map([
    [exchangeZone(), "exchange"],
    ...([exchangeZone(), "UTC"].includes(localZone()) ? [] : [[localZone(), "local"] as const]),
    ...(exchangeZone() === "UTC" ? [] : [["UTC", ""] as const]),
  ]);
  const others = [...new Set([...all, zone])].filter((each) => !common.has(each)).sort();
  return (
    <span
      class="zone"
      title={`All times are in the time zone of ${zoneCity(zone)} (${zoneCode(zone)}). Days are those of the exchange.`}
    >
      <span aria-hidden="true">{zoneCode(zone)} ▾</span>
      <select aria-label="Time zone" value={zone} onChange={({ currentTarget }) => selectZone(currentTarget.value)}>
        {[...common].map(([each, what]) => (
          <option key={each} value={each}>
            {zoneCity(each)}
            {what === "" ? "" : ` (${what})`}
          </option>
        ))}
        {others.length > 0 && (
          <optgroup label="Other time zones">
            {others.map((each) => (
              <option key={each} value={each}>
                {each.replaceAll("_", " ")}
              </option>
            ))}
          </optgroup>
        )}
      </select>
    </span>
  );
}
