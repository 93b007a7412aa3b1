import { parse } from "csv-parse/sync";
import fc from "fast-check";
import { expect, it } from "vitest";
import { type Line, readLines } from "../src/csv/read-lines.ts";
import { BYTE_ORDER_MARK, writeLines } from "../src/csv/write-lines.ts";

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

async function* inChunks(bytes: Buffer, size: number): AsyncGenerator<Uint8Array> {
  for (let start = 0; start < bytes.length; start += size) yield bytes.subarray(start, start + size);
}

async function read(bytes: Buffer, size = 3): Promise<Line[]> {
  const lines: Line[] = [];
  for await (const line of readLines(inChunks(bytes, size))) lines.push(line);
  return lines;
}

it.each([1, 2, 3, 7, 64])(
  "reads UTF-8 in chunks of %d bytes, with or without a byte-order mark",
  async (size) => {
    const text = 'name,city\r\nJ\u00f6rg,"\u0141\u00f3d\u017a\n\u{1f600}"\r\n\r\nlast,\u00df';
    const expected = [
      ["name", "city"],
      ["J\u00f6rg", "\u0141\u00f3d\u017a\n\u{1f600}"],
      ["last", "\u00df"],
    ];
    for (const start of ["", BYTE_ORDER_MARK]) {
      const lines = await read(Buffer.from(`${start}${text}`), size);
      expect(lines.map(({ cells }) => cells)).toEqual(expected);
    }
  },
);

it.each([
  ["Windows-1252", Buffer.from("email,name\ng@example.net,J\u00f6rg\n", "latin1"), 2],
  ["Windows-1252 in the last line", Buffer.from("email\na@example.net\nJ\u00f6rg", "latin1"), 3],
  ["UTF-16", Buffer.from("\ufeffemail\na@example.net\n", "utf16le"), 1],
  ["UTF-16 without a byte-order mark", Buffer.from("email\na@example.net\n", "utf16le"), 1],
  ["a cut character", Buffer.from([0x61, 0x0a, 0xc3]), 2],
])("refuses %s with the line", async (_, bytes, line) => {
  for (const size of [1, 5, 1_000]) {
    await expect(read(bytes, size)).rejects.toMatchObject({
      code: "invalid_request",
      issues: [{ path: `line ${line}`, message: "Is not UTF-8. Save the file as “CSV UTF-8”." }],
    });
  }
});

it.each([
  ["commas in one line", ",", "Is longer than 65536 characters."],
  ["empty lines", "\n", "The file has more than 1000000 lines."],
])("stops reading a file of %s long before its end", async (_, character, message) => {
  let read_chunks = 0;
  async function* chunks() {
    for (let chunk = 0; chunk < 1_000; chunk++) {
      read_chunks += 1;
      yield chunk === 0 ? Buffer.from("email\n") : Buffer.alloc(64 * 1024, character);
    }
  }
  const reading = async () => {
    for await (const line of readLines(chunks())) expect(line.cells).toEqual(["email"]);
  };
  await expect(reading()).rejects.toMatchObject({ code: "invalid_request", issues: [{ message }] });
  expect(read_chunks).toBeLessThan(30);
});
