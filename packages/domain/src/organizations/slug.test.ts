import { expect, it } from "vitest";
import { slugBeside, slugOf } from "./slug.ts";

it.each([
  ["Acme", "acme"],
  ["Acme, Inc.", "acme-inc"],
  ["Café Müller & Söhne", "cafe-muller-sohne"],
  ["Straßen & Brücken Łódź", "strassen-brucken-lodz"],
  ["  --  ", "organization"],
  ["株式会社", "organization"],
  [`${"a".repeat(47)} b`, "a".repeat(47)],
])("makes a slug of %j", (name, slug) => {
  expect(slugOf(name)).toBe(slug);
});

it("makes another slug beside one", () => {
  expect(slugBeside("acme")).toMatch(/^acme-\d{6}$/);
});
