import { createHmac } from "node:crypto";
import { expect, it } from "vitest";
import { signSignup } from "../src/index.ts";

const SECRET = `ff_ss_${"a1B2".repeat(10)}xyz`;
const SIGNUP = { secret: SECRET, click_id: "0199d3a1-6a7e-7c44-9a51-3f2b8c6d1e90", email: "zoë@example.com" };

it("signs the expiry, the click and the email, for an hour", () => {
  const before = Math.floor(Date.now() / 1000);
  const [expires = "", digest] = signSignup(SIGNUP).split(".");
  expect(Number(expires)).toBeGreaterThanOrEqual(before + 3_600);
  expect(Number(expires)).toBeLessThanOrEqual(Math.floor(Date.now() / 1000) + 3_600);
  const content = `${expires}.${SIGNUP.click_id}.${SIGNUP.email}`;
  expect(digest).toBe(createHmac("sha256", SECRET).update(content).digest("hex"));
});

it("signs with a custom expiry", () => {
  const [expires] = signSignup({ ...SIGNUP, expires_in_seconds: -10 }).split(".");
  expect(Number(expires)).toBeLessThan(Date.now() / 1000);
});

it.each([
  { secret: "" },
  { secret: "ff_sk_2V1mGkY8Qh4cWnT0sRz7bLxJ5dPaE9uFo3iXyKvMwBt" },
  { secret: `${SECRET}\n` },
  { click_id: "" },
  { email: "" },
])("rejects %j", (change) => {
  expect(() => signSignup({ ...SIGNUP, ...change })).toThrow(TypeError);
});
