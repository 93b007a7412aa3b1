import fc from "fast-check";
import { expect, it } from "vitest";
import { escapeHtml } from "./escape-html.ts";
import { plainLine, plainLines, plainSubject } from "./plain.ts";

const anything = fc.string({ unit: "binary" });

it("reduces any text to one line without invisible characters", () => {
  expect(plainLine(" Jane\r\nBcc: eve@example.com\t\u202eDoe\u0000 ")).toBe("Jane Bcc: eve@example.com Doe");
  fc.assert(
    fc.property(anything, (text) => {
      expect(plainLine(text)).not.toMatch(/[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/u);
    }),
  );
});

it("preserves the lines of longer texts, with at most one empty line in a row", () => {
  expect(plainLines("a\r\n\r\n\n\n\nb\rc\u0007\n")).toBe("a\n\nb\nc");
  expect(plainLines("naïve – ✓ 李雷 👩‍🚀")).toBe("naïve – ✓ 李雷 👩‍🚀");
});

it("cuts a subject between characters", () => {
  expect(plainSubject("😀".repeat(300))).toBe(`${"😀".repeat(199)}…`);
  expect(plainSubject("short")).toBe("short");
});

it("escapes every character that could start or end markup", () => {
  fc.assert(
    fc.property(anything, (text) => {
      expect(escapeHtml(text)).not.toMatch(/[<>"']|&(?!(amp|lt|gt|quot|#39);)/);
    }),
  );
});
