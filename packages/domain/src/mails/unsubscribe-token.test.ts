import fc from "fast-check";
import { expect, it } from "vitest";
import { readUnsubscribeToken, unsubscribeKey, unsubscribeToken } from "./unsubscribe-token.ts";

const KEY = unsubscribeKey(Buffer.alloc(32, 7));
const subscriber = fc.record({ organization_id: fc.uuid(), affiliate_id: fc.uuid() });

it("reads the tokens that it signed, for any ids", () => {
  fc.assert(
    fc.property(subscriber, (who) => {
      const token = unsubscribeToken(KEY, who);
      expect(token).toMatch(/^[A-Za-z0-9_-]{86}$/);
      expect(readUnsubscribeToken(KEY, token)).toEqual(who);
    }),
  );
});

it("rejects a token with a changed character or another key", () => {
  fc.assert(
    fc.property(subscriber, fc.nat(85), fc.constantFrom(..."AZaz09_-"), (who, place, character) => {
      const token = unsubscribeToken(KEY, who);
      expect(readUnsubscribeToken(unsubscribeKey(Buffer.alloc(32, 8)), token)).toBeNull();
      const changed = token.slice(0, place) + character + token.slice(place + 1);
      if (changed !== token) expect(readUnsubscribeToken(KEY, changed)).toBeNull();
    }),
  );
});

it("rejects other texts", () => {
  for (const text of ["", "=", "A".repeat(86), "☃".repeat(86)]) {
    expect(readUnsubscribeToken(KEY, text)).toBeNull();
  }
  fc.assert(fc.property(fc.string(), (text) => readUnsubscribeToken(KEY, text) === null));
});
