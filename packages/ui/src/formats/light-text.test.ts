import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseLightText, type TextBlock, type TextRun } from "./light-text.ts";

/** The blocks as lines: bold in `<b>`, italic in `<i>`, links as `{text → href}`. */
function drawn(text: string): string[] {
  return parseLightText(text).flatMap((block) =>
    "items" in block
      ? block.items.map((item) => `${block.kind} ${item.map(drawRun).join("")}`)
      : [`${block.kind} ${block.runs.map(drawRun).join("")}`],
  );
}

function drawRun({ text, href, is_strong, is_emphasized }: TextRun): string {
  const linked = href === null ? text : `{${text} → ${href}}`;
  const slanted = is_emphasized ? `<i>${linked}</i>` : linked;
  return is_strong ? `<b>${slanted}</b>` : slanted;
}

const runsOf = (block: TextBlock) => ("items" in block ? block.items.flat() : block.runs);

describe("a text of an organization", () => {
  it.each([
    ["**Bold?** and *so*", ["paragraph <b>Bold?</b> and <i>so</i>"]],
    ["***both***", ["paragraph <b><i>both</i></b>"]],
    ["**a *b* c**", ["paragraph <b>a </b><b><i>b</i></b><b> c</b>"]],
    ["2*3*4 and 5 * 6 * 7", ["paragraph 2*3*4 and 5 * 6 * 7"]],
    ["**not closed", ["paragraph **not closed"]],
    ["snake_case_name", ["paragraph snake_case_name"]],
    ["One\nTwo\n\nThree", ["paragraph One\nTwo", "paragraph Three"]],
    [
      "# Rules\n- No *coupons*\n- No ads\n1. First\n2) Second",
      ["heading Rules", "bullets No <i>coupons</i>", "bullets No ads", "numbers First", "numbers Second"],
    ],
    [
      "[Our press kit](https://acme.example/press)",
      ["paragraph {Our press kit → https://acme.example/press}"],
    ],
    ["[Bad](javascript:alert(1))", ["paragraph [Bad](javascript:alert(1))"]],
    [
      "**https://acme.example/a.**",
      ["paragraph <b>{https://acme.example/a → https://acme.example/a}</b><b>.</b>"],
    ],
    ["<b>no</b> markup", ["paragraph <b>no</b> markup"]],
    ["-5 % off", ["paragraph -5 % off"]],
    [" \n\n ", []],
  ])("%j", (text, expected) => {
    expect(drawn(text)).toEqual(expected);
  });

  it("never loses a letter, and links lead to the web alone", () => {
    const pieces = fc.constantFrom(
      "*",
      "**",
      "a",
      "b ",
      "\n",
      "- ",
      "# ",
      "1. ",
      "[x](https://a.example/)",
      "https://b.example/c*",
      "_",
    );
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 30 }), (parts) => {
        const text = parts.join("");
        const runs = parseLightText(text).flatMap(runsOf);
        for (const { href } of runs) if (href !== null) expect(href).toMatch(/^https?:\/\//);
        const letters = (value: string) => value.replace(/[^abx]/gu, "");
        const labels = text.replaceAll("(https://a.example/)", "");
        expect(letters(runs.map((run) => run.text).join(""))).toBe(letters(labels));
      }),
    );
  });
});
