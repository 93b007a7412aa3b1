import { expect, it } from "vitest";
import { waitInWords } from "./wait.ts";

it.each([
  [1, "1 second"],
  [120, "120 seconds"],
  [121, "3 minutes"],
  [900, "15 minutes"],
  [7200, "120 minutes"],
  [7201, "3 hours"],
  [86_400, "24 hours"],
])("says %d s as %s", (seconds, words) => {
  expect(waitInWords(seconds)).toBe(words);
});
