import { expect, it } from "vitest";
import { resultName, shownReference } from "./result-texts.ts";

const CLICK = "0199d3a1-6a7e-7c44-9a51-3f2b8c6d1e90";
const unknown = { source: "click", result: "unknown_click" } as const;

it("names a reference that is no click id, and shows all of it", () => {
  const own = { ...unknown, reference: "user_8812" };
  expect(resultName(own)).toBe("Not a click ID");
  expect(shownReference(own, () => "short")).toBe("user_8812");
});

it("shortens click ids, known or not", () => {
  const click = { ...unknown, reference: CLICK };
  expect(resultName(click)).toBe("Unknown click");
  expect(shownReference(click, () => "short")).toBe("short");
});
