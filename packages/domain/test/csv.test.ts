import { parse } from "csv-parse/sync";
import fc from "fast-check";
import { expect, it } from "vitest";
import { writeLines } from "../src/csv/write-lines.ts";

it.each([
  ["=1+1", "'=1+1"],
  ["=cmd|' /C calc'!A0", "'=cmd|' /C calc'!A0"],
  ["+49 30 1", "'+49 30 1"],
  ["-2+3", "'-2+3"],
  ["@SUM(A1)", "'@SUM(A1)"],
  ["\t=1+1", "'=1+1"],
  ["\r=1+1", "'=1+1"],
  ["\n\n =1+1", "'=1+1"],
  ["＝1+1", "'＝1+1"],
  ["Jane\r\n=1+1", "Jane =1+1"],
  ["Jane;=1+1", "Jane;'=1+1"],
  ['Jane",=1+1', `Jane",'=1+1`],
  ['Jane;"=1+1', `Jane;"'=1+1`],
  ["O'Neil, Jane", "O'Neil, Jane"],
  ['"=1+1', `"'=1+1`],
  ['Jane "JD" Doe', 'Jane "JD" Doe'],
  ["Jane-Marie", "Jane-Marie"],
  ["Zoë 王", "Zoë 王"],
])("writes %j as %j", (text, cell) => {
  const [[first, second] = []] = parse(writeLines([[text, "x"]])) as string[][];
  expect([first, second]).toEqual([cell, "x"]);
});

const FORMULA = /^[=+\-@\t\r＝＋－＠]/;

it("writes the exact number of lines and cells, and no formulas", () => {
  const texts = fc.string({ unit: fc.constantFrom(..."=+-@\t\r\n,;|\"' aé＝０") });
  fc.assert(
    fc.property(fc.array(fc.tuple(texts, texts), { minLength: 1, maxLength: 5 }), (lines) => {
      const file = writeLines(lines);
      const cells = parse(file, { skip_empty_lines: false }) as string[][];
      expect(cells.map((line) => line.length)).toEqual(lines.map(() => 2));
      expect(cells.flat().filter((cell) => FORMULA.test(cell))).toEqual([]);
      expect(file.split("\r\n")).toHaveLength(lines.length + 1);
      // A spreadsheet that separates by semicolons, and takes quotes for text where they do not begin a cell.
      const others = file.split(/[;\r\n]/).map((cell) => cell.replace(/^["\s]+/, ""));
      expect(others.filter((cell) => FORMULA.test(cell))).toEqual([]);
    }),
    { numRuns: 2_000 },
  );
});
