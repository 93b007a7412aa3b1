import { createHash, hkdfSync } from "node:crypto";
import { expect, it } from "vitest";
import { hashVisitor, visitorKey } from "./visitor.ts";

const KEY = visitorKey(Buffer.alloc(32, 1));
const VISITOR = { address: "203.0.113.7", user_agent: "Mozilla/5.0" };
const MORNING = new Date("2026-11-20T00:00:00.000Z");
const EVENING = new Date("2026-11-20T23:59:59.999Z");
const NEXT_DAY = new Date("2026-11-21T00:00:00.000Z");

it("returns the same hash for a browser all day, and another one the next day", () => {
  const hash = hashVisitor(KEY, VISITOR, MORNING);
  expect(hash).toMatch(/^[0-9a-f]{32}$/);
  expect(hashVisitor(KEY, VISITOR, EVENING)).toEqual(hash);
  expect(hashVisitor(KEY, VISITOR, NEXT_DAY)).not.toEqual(hash);
});

it("distinguishes addresses, browsers and services", () => {
  const hashes = [
    hashVisitor(KEY, VISITOR, MORNING),
    hashVisitor(KEY, { ...VISITOR, address: "203.0.113.8" }, MORNING),
    hashVisitor(KEY, { ...VISITOR, user_agent: "Mozilla/5.1" }, MORNING),
    hashVisitor(visitorKey(Buffer.alloc(32, 2)), VISITOR, MORNING),
  ];
  expect(new Set(hashes).size).toBe(hashes.length);
});

it("uses another key than the encryption of secrets", () => {
  const key = Buffer.from(hkdfSync("sha256", Buffer.alloc(32, 1), "", "findersfee visitors", 32));
  const hash = createHash("sha512-256")
    .update(`${key.toString("hex")}\n20777\n${VISITOR.address}\n${VISITOR.user_agent}`)
    .digest("hex");
  expect(hashVisitor(KEY, VISITOR, MORNING)).toBe(hash.slice(0, 32));
});
