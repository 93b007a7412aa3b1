import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import { base62, hashToken, isToken, newToken } from "../../../src/identity/api-keys/token.ts";

const DIGITS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

describe("base62", () => {
  it.each([
    ["00", "0"],
    ["01", "1"],
    ["3d", "z"],
    ["3e", "10"],
    ["ffff", "H31"],
  ])("writes the bytes %s as the number %s with leading zeros", (bytes, digits) => {
    expect(base62(Buffer.from(bytes.padStart(64, "0"), "hex"))).toBe(digits.padStart(43, "0"));
  });

  it("encodes the largest 32 bytes", () => {
    const digits = base62(Buffer.alloc(32, 0xff));
    expect(digits).toHaveLength(43);
    const value = [...digits].reduce((sum, digit) => sum * 62n + BigInt(DIGITS.indexOf(digit)), 0n);
    expect(value).toBe(2n ** 256n - 1n);
  });
});

describe("newToken", () => {
  it("creates unique keys in the format of their kind", () => {
    const tokens = Array.from({ length: 200 }, () => newToken("secret"));
    expect(new Set(tokens).size).toBe(200);
    for (const token of tokens) expect(token).toMatch(/^ff_sk_[0-9A-Za-z]{43}$/);
    expect(newToken("publishable")).toMatch(/^ff_pk_[0-9A-Za-z]{43}$/);
  });

  it("creates keys that isToken and hashToken accept", () => {
    const token = newToken("secret");
    expect(isToken(token)).toBe(true);
    expect(hashToken(token)).toEqual(createHash("sha256").update(token).digest());
  });
});

describe("isToken", () => {
  const valid = newToken("secret");
  it.each([
    "",
    "Bearer",
    valid.slice(0, -1),
    `${valid}0`,
    `${valid}\n`,
    valid.replace("ff_sk_", "ff_xk_"),
    valid.replace(/.$/, "-"),
    valid.replace(/.$/, "é"),
    ` ${valid}`,
  ])("rejects %j", (text) => {
    expect(isToken(text)).toBe(false);
  });
});
