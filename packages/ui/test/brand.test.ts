import { readFileSync } from "node:fs";
import { brandColors, SURFACES } from "@findersfee/contract/portal/brand-colors";
import { contrastOf, fromOklch, toOklch } from "@findersfee/contract/portal/oklch";
import fc from "fast-check";
import { describe, expect, it } from "vitest";

const THEMES = ["light", "dark"] as const;

const hex = (number: number) => `#${number.toString(16).padStart(6, "0")}`;

/** All of the cube, and more of its corners and grays. */
const colors = fc.oneof(
  fc.integer({ min: 0, max: 0xffffff }).map(hex),
  fc.constantFrom(
    ...Array.from({ length: 8 }, (_, corner) =>
      hex([0xff0000, 0xff00, 0xff].reduce((sum, part, at) => ((corner >> at) & 1 ? sum + part : sum), 0)),
    ),
  ),
  fc.integer({ min: 0, max: 255 }).map((gray) => hex(gray * 0x010101)),
);

const RUNS = { numRuns: 1_000 };

describe("colors derived from a brand's", () => {
  it("have enough contrast in both themes, for any color", () => {
    fc.assert(
      fc.property(colors, (color) => {
        const derived = brandColors(color);
        for (const theme of THEMES) {
          const { solid, solid_hover, on_solid, solid_edge, text, line } = derived[theme];
          expect(solid).toBe(color);
          expect(contrastOf(on_solid, solid)).toBeGreaterThanOrEqual(4.5);
          expect(contrastOf(on_solid, solid_hover)).toBeGreaterThanOrEqual(4.5);
          for (const surface of SURFACES[theme]) {
            expect(contrastOf(text, surface)).toBeGreaterThanOrEqual(4.5);
            expect(contrastOf(line, surface)).toBeGreaterThanOrEqual(3);
            expect(contrastOf(solid_edge, surface)).toBeGreaterThanOrEqual(3);
          }
          for (const one of Object.values(derived[theme])) expect(one).toMatch(/^#[0-9a-f]{6}$/);
        }
      }),
      RUNS,
    );
  });

  it("are the color itself where that suffices, and no further from it than needed elsewhere", () => {
    fc.assert(
      fc.property(colors, (color) => {
        const derived = brandColors(color);
        for (const theme of THEMES) {
          const least = (one: string) =>
            Math.min(...SURFACES[theme].map((surface) => contrastOf(one, surface)));
          for (const [part, limit] of [
            ["text", 4.5],
            ["line", 3],
          ] as const) {
            const one = derived[theme][part];
            if (least(color) >= limit) expect(one).toBe(color);
            else expect(least(one)).toBeLessThan(limit * 1.05);
          }
        }
      }),
      RUNS,
    );
  });

  it("keep the hue", () => {
    fc.assert(
      fc.property(colors, (color) => {
        const chosen = toOklch(color);
        for (const theme of THEMES) {
          const moved = toOklch(brandColors(color)[theme].text);
          // Grays have no hue, and rounding turns the hue of colors that are nearly gray.
          if (chosen.chroma < 0.05 || moved.chroma < 0.03) continue;
          const turn = Math.abs(((moved.hue - chosen.hue + 3 * Math.PI) % (2 * Math.PI)) - Math.PI);
          expect(turn).toBeLessThan(0.1);
        }
      }),
      RUNS,
    );
  });

  it("are these, for a pale, a dark and a neon color", () => {
    const texts = (color: string) => THEMES.map((theme) => brandColors(color)[theme].text);
    expect(texts("#ffee00")).toEqual(["#787000", "#ffee00"]);
    expect(texts("#1a0b2e")).toEqual(["#1a0b2e", "#9385b1"]);
    expect(texts("#0b6b53")).toEqual(["#0b6b53", "#499b80"]);
    expect(brandColors("#ffee00").light).toMatchObject({ on_solid: "#000000", line: "#988d00" });
  });
});

it("converts each color to OKLCH and back", () => {
  fc.assert(
    fc.property(colors, (color) => {
      expect(fromOklch(toOklch(color))).toBe(color);
    }),
    RUNS,
  );
});

it("knows the backgrounds of the themes", () => {
  const css = readFileSync(`${import.meta.dirname}/../src/styles/tokens.css`, "utf8");
  const [light, dark] = [0, 1].map((at) =>
    ["page", "sunk", "raised", "hover"].map((name) => {
      const [, ...themes] = new RegExp(`--color-${name}: light-dark\\((#\\w+), (#\\w+)\\)`).exec(css) ?? [];
      return themes[at];
    }),
  );
  expect([...new Set(light)]).toEqual(SURFACES.light);
  expect(dark).toEqual(SURFACES.dark);
});
