import { expect, it } from "vitest";
import { shortId } from "./ids.ts";

it("tells IDs of the same minute apart", () => {
  expect(shortId("01a21471-941f-75d5-ad6c-115a4baa16c7")).toBe("…4baa16c7");
  expect(shortId("01a21471-9420-7001-8a31-3f2b8c6d1e90")).toBe("…8c6d1e90");
});

it("shows a short ID as it is", () => {
  expect(shortId("cus_4")).toBe("cus_4");
});
