import { expect, it } from "vitest";
import { sentenceNow } from "./reversals.ts";

const commission_id = "0199d3a1-6a7e-7c44-9a51-3f2b8c6d1e90";

it.each([
  [9.8, false, "This payment earned a commission."],
  [0, true, "This payment earned a commission, but nothing of it remains."],
])("says whether anything is left of a commission: %d", (amount, voided, sentence) => {
  const remaining = { commission_id, amount, voided };
  expect(sentenceNow({ outcome: "commission", remaining })).toBe(sentence);
});
