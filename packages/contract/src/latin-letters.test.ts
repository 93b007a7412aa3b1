import { expect, it } from "vitest";
import { latinWords } from "./latin-letters.ts";

it.each([
  ["Łukasz Żółw", "lukasz-zolw"],
  ["Jörg Müller-Straße", "jorg-muller-strasse"],
  ["GROẞE", "grosse"],
  ["Søren Ærø", "soren-aero"],
  ["Œuvre cœur", "oeuvre-coeur"],
  ["Đặng Thị", "dang-thi"],
  ["Þórður Guðmundsson", "thordur-gudmundsson"],
  ["Işık İnönü", "isik-inonu"],
  ["Ħal Għargħur", "hal-gharghur"],
  ["Kofi Ɔbɛ", "kofi-obe"],
  ["  --  ", ""],
  ["株式会社 7", "7"],
])("spells %j", (text, words) => {
  expect(latinWords(text).join("-")).toBe(words);
});
