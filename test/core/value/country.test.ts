// Countries and regions: recognized by their codes and English names, in any common spelling.
import assert from "node:assert/strict";
import { test } from "node:test";
import codes from "i18n-iso-countries/codes.json" with { type: "json" };
import { alpha3, countryName, isCountryCode, region } from "../../../src/core/value/country.ts";

test("a country is recognized by its codes in any case", () => {
  for (const text of ["ca", "CA", "can", "CAN", " Can "]) assert.equal(alpha3(text), "CAN");
});

test("a country is recognized by its English names in any case", () => {
  const known: Record<string, readonly string[]> = {
    USA: ["United States", "united states of america", "USA", "US", "U.S.", "The United States"],
    GBR: ["United Kingdom", "UK", "Great Britain"],
    KOR: ["South Korea", "Republic of Korea"],
    RUS: ["Russia", "Russian Federation"],
    CZE: ["Czech Republic", "Czechia"],
    TUR: ["Turkey", "Türkiye", "Turkiye"],
    HKG: ["Hong Kong", "Hong Kong SAR China"],
    TWN: ["Taiwan"],
    VNM: ["Vietnam", "Viet Nam"],
    CIV: ["Ivory Coast", "Côte d’Ivoire", "Cote d'Ivoire"],
    BIH: ["Bosnia & Herzegovina", "Bosnia and Herzegovina"],
    LCA: ["St. Lucia", "Saint Lucia"],
    COD: ["Congo - Kinshasa", "Democratic Republic of the Congo"],
    COG: ["Congo - Brazzaville", "Congo"],
    NLD: ["Netherlands", "the Netherlands"],
    EMU: ["EMU", "Euro Area", "euro  area", "Eurozone", "Euro Zone"],
  };
  for (const [code, names] of Object.entries(known)) for (const name of names) assert.equal(alpha3(name), code, name);
});

test("anything else is not recognized as a country", () => {
  for (const text of ["", " ", "Europe", "EU", "XX", "ZZZ", "the", "Narnia", "*", "u s a f"])
    assert.equal(alpha3(text), undefined, text);
});

test("the returned name is that of CLDR, and maps back to the code", () => {
  assert.equal(countryName("USA"), "United States");
  assert.equal(countryName("GBR"), "United Kingdom");
  assert.equal(countryName("EMU"), "Euro Area");
  assert.equal(countryName("US"), undefined);
  assert.equal(countryName("usa"), undefined);
  for (const [alpha2 = ""] of codes.filter(([code]) => code !== "XK")) {
    const code = alpha3(alpha2) ?? "";
    assert.equal(alpha3(countryName(code) ?? ""), code, alpha2);
  }
});

test("Kosovo, which has no ISO code, is a name like any other", () => {
  assert.equal(alpha3("XK"), undefined);
  assert.equal(alpha3("Kosovo"), undefined);
  assert.ok(!isCountryCode("XKX"));
});

test("a country code is uppercase alpha-3, or the euro area", () => {
  for (const text of ["USA", "DEU", "EMU"]) assert.ok(isCountryCode(text), text);
  for (const text of ["usa", "US", "EUR", "XXX", "", "United States", "constructor"])
    assert.ok(!isCountryCode(text), text);
});

test("a region is a country's code, or a normalized name", () => {
  for (const text of ["ca", "CAN", "Canada", "CANADA"]) assert.equal(region(text), "CAN");
  assert.equal(region(" Latin   America "), "latin america");
  assert.equal(region("Europe"), "europe");
});
