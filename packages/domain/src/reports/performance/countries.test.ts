import { expect, it } from "vitest";
import { countriesNamed } from "./countries.ts";

it.each<[string, string[], string[]]>([
  // Codes that countries had before have their names.
  ["germany", [], ["DD", "DE"]],
  ["United St", [], ["US"]],
  ["states", [], ["US"]],
  // The beginning of a word, and not a part of Austria and Russia.
  ["us", [], []],
  ["cote d'iv", [], ["CI"]],
  ["Türki", [], ["TR"]],
  ["turkiye", [], ["TR"]],
  ["Deutschland", [], []],
  ["deutschland", ["de"], ["DD", "DE"]],
  ["germany", ["de"], ["DD", "DE"]],
  ["Österreich", ["de-AT"], ["AT"]],
  ["osterreich", ["de"], ["AT"]],
  ["Allemagne", ["de", "fr"], ["DD", "DE"]],
  ["ドイツ", ["ja"], ["DD", "DE"]],
  ["(", ["de"], []],
  ["", [], []],
])("finds the countries named “%s” in English and %j", (text, languages, codes) => {
  expect(countriesNamed(text, languages)).toEqual(codes);
});
