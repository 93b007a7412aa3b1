import { afterEach, expect, it, vi } from "vitest";
import { printList } from "../src/print.ts";

const { columns } = process.stdout;

afterEach(() => {
  process.stdout.columns = columns;
  vi.restoreAllMocks();
});

/** The output for a terminal of this width. */
function printed(width: number): string[] {
  const log = vi.spyOn(console, "log").mockImplementation(() => {});
  process.stdout.columns = width;
  const things = [
    { id: "1", name: "Jane", at: null },
    { id: "2", name: "Joe", at: new Date(0) },
  ];
  printList(things, { json: false, none: "none" });
  return log.mock.calls.map(([line = ""]) => line);
}

it("prints a table on a wide terminal", () => {
  expect(printed(34)).toEqual(["id  name  at", "1   Jane  -", "2   Joe   1970-01-01T00:00:00.000Z"]);
});

it("prints a line per value on a narrow one", () => {
  expect(printed(33)).toEqual([
    ...["id    1", "name  Jane", "at    -"],
    "",
    ...["id    2", "name  Joe", "at    1970-01-01T00:00:00.000Z"],
  ]);
});
