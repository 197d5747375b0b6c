// Colors of economic figures: good and bad news by series, never by color alone.
import assert from "node:assert/strict";
import { test } from "node:test";
import { economics } from "../../src/resources/economics.ts";
import { polarityOf } from "../../web/format/polarity.ts";
import { assertClean, pageTests } from "./support/browser.ts";
import { today } from "./support/service.ts";

test("more jobless claims are bad news, more retail sales good news, and higher prices neither", () => {
  const polarity = economics.display?.polarity;
  assert.ok(polarity !== undefined);
  const signs = (...names: string[]) => names.map((name) => polarityOf(name, polarity));
  assert.deepEqual(signs("Initial Jobless Claims", "UNEMPLOYMENT RATE", "Challenger Job Cuts"), [-1, -1, -1]);
  assert.deepEqual(signs("Retail Sales (MoM)", "ISM Manufacturing PMI", "GDP (QoQ)", "Nonfarm Payrolls"), [1, 1, 1, 1]);
  assert.deepEqual(signs("CPI (YoY)", "GDP Price Index (QoQ)", "Fed Interest Rate Decision", "Gdpx"), [0, 0, 0, 0]);
});

const browser = pageTests({ demo: [] }, async (service) => {
  const release = (id: string, event_name: string, actual: string, consensus: string) => ({
    ...{ id, event_name, actual, consensus, date: today, time: "08:30:00", country: "USA", importance: 3 },
  });
  await service.has("economics", [
    release("1", "Initial Jobless Claims", "250", "230"),
    release("2", "Retail Sales (MoM)", "0.9", "0.4"),
    release("3", "CPI (YoY)", "3.4", "3.1"),
    release("4", "Unemployment Rate", "3.9", "4.1"),
  ]);
});

for (const path of ["/", "/calendar/economics"]) {
  browser(
    `${path}: an arrow shows the direction of a surprise, the color whether it is good news`,
    async ({ open }) => {
      const opened = await open(path);
      const { page } = opened;
      const look = (name: string) =>
        page
          .locator("main tr", { hasText: name })
          .first()
          .locator(".arrow")
          .evaluate((cell) => {
            const colorOf = (token: string) => {
              const probe = document.body.appendChild(document.createElement("i"));
              probe.style.color = `var(${token})`;
              const { color } = getComputedStyle(probe);
              probe.remove();
              return color;
            };
            const { color } = getComputedStyle(cell);
            const meaning = color === colorOf("--up") ? "good" : color === colorOf("--down") ? "bad" : "neutral";
            return `${getComputedStyle(cell, "::after").content.slice(1, 2)} ${meaning}`;
          });
      assert.equal(await look("Initial Jobless Claims"), "▲ bad");
      assert.equal(await look("Retail Sales"), "▲ good");
      assert.equal(await look("CPI"), "▲ neutral");
      assert.equal(await look("Unemployment Rate"), "▼ good");
      assertClean(opened);
    },
  );
}
