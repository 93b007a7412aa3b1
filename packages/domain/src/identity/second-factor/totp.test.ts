import { expect, it } from "vitest";
import { base32, findStep, stepOf, totpCode, totpUri } from "./totp.ts";

/** The secret of RFC 6238, appendix B: the last six digits of its eight. */
const SECRET = base32(Buffer.from("12345678901234567890"));

it.each([
  [59, "287082"],
  [1111111109, "081804"],
  [1111111111, "050471"],
  [1234567890, "005924"],
  [2000000000, "279037"],
  [20000000000, "353130"],
])("makes the code of RFC 6238 at %d s", (seconds, code) => {
  expect(totpCode(SECRET, stepOf(new Date(seconds * 1000)))).toBe(code);
});

it("accepts the code of the step before and after, and no other", () => {
  const at = new Date(1111111109_000);
  const current = stepOf(at);
  const found = [-2, -1, 0, 1, 2].map((shift) =>
    findStep(SECRET, totpCode(SECRET, current + shift), { at, last_step: 0 }),
  );
  expect(found).toEqual([null, current - 1, current, current + 1, null]);
});

it("accepts no code of the last accepted step or an earlier one", () => {
  const at = new Date(1111111109_000);
  const current = stepOf(at);
  const last = { at, last_step: current };
  expect(findStep(SECRET, totpCode(SECRET, current), last)).toBeNull();
  expect(findStep(SECRET, totpCode(SECRET, current - 1), last)).toBeNull();
  expect(findStep(SECRET, totpCode(SECRET, current + 1), last)).toBe(current + 1);
});

it("escapes the account in the address", () => {
  expect(totpUri("ABC", { account: "a b@example.com", issuer: "Finders fee" })).toBe(
    "otpauth://totp/Finders%20fee:a%20b%40example.com?secret=ABC&issuer=Finders%20fee",
  );
});
