import { expect, it } from "vitest";
import { PAGES } from "./pages.ts";

it("have shortcuts and addresses of their own", () => {
  for (const field of ["keys", "path"] as const) {
    const values = PAGES.map((page) => page[field]);
    expect(values).toEqual([...new Set(values)]);
  }
});
