import fc from "fast-check";
import { expect, it } from "vitest";
import { splitAtLinks } from "./text-links.ts";

const linksOf = (text: string) => splitAtLinks(text).flatMap(({ href }) => href ?? []);

it.each([
  ["See https://acme.example/kit.", ["https://acme.example/kit"]],
  ["(https://acme.example/kit)", ["https://acme.example/kit"]],
  ["https://acme.example/a_(b)", ["https://acme.example/a_(b)"]],
  [
    "HTTP://ACME.example and https://globex.example?a=1&b=2#c!",
    ["http://acme.example/", "https://globex.example/?a=1&b=2#c"],
  ],
  ["<a href='https://acme.example'>x</a>", ["https://acme.example/"]],
  ["javascript:alert(1) data:text/html,x ftp://acme.example acme.example", []],
  ["https:// http://...", []],
  ["مرحبا https://acme.example/kit مرحبا", ["https://acme.example/kit"]],
  ["https://acme.example/\u202efdp.exe", ["https://acme.example/"]],
])("finds the addresses in %s", (text, links) => {
  expect(linksOf(text)).toEqual(links);
});

it("keeps the text as it is, and links to websites only", () => {
  fc.assert(
    fc.property(
      fc.array(fc.oneof(fc.string(), fc.constantFrom("https://", "acme.example", "/?a=1", ")", ".", "\n"))),
      (pieces) => {
        const text = pieces.join("");
        const parts = splitAtLinks(text);
        expect(parts.map((part) => part.text).join("")).toBe(text);
        for (const { href } of parts) if (href !== null) expect(href).toMatch(/^https?:\/\//);
      },
    ),
  );
});

it("takes linear time", () => {
  const long = `https://${"a".repeat(5_000)}${")".repeat(500_000)}`;
  expect(linksOf(long)).toHaveLength(1);
});
