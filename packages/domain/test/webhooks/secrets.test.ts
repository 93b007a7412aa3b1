import { randomBytes } from "node:crypto";
import { describe, expect, it } from "vitest";
import { newSigningSecret, openSecret, sealSecret } from "../../src/webhooks/secrets.ts";

const key = randomBytes(32);
const owner = { organization_id: crypto.randomUUID(), endpoint_id: crypto.randomUUID() };

describe("newSigningSecret", () => {
  it("starts with whsec_ and has 32 bytes in base64", () => {
    const secret = newSigningSecret();
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect(Buffer.from(secret.slice(6), "base64")).toHaveLength(32);
    expect(newSigningSecret()).not.toBe(secret);
  });
});

describe("a sealed secret", () => {
  const secret = newSigningSecret();
  const sealed = sealSecret(key, owner, secret);

  it("opens for its owner with its key and reveals nothing", () => {
    expect(openSecret(key, owner, sealed)).toBe(secret);
    expect(sealed.includes(secret)).toBe(false);
    expect(sealSecret(key, owner, secret)).not.toEqual(sealed);
  });

  it("does not open with another key, or for another endpoint or organization", () => {
    expect(() => openSecret(randomBytes(32), owner, sealed)).toThrow();
    for (const field of ["organization_id", "endpoint_id"] as const) {
      expect(() => openSecret(key, { ...owner, [field]: crypto.randomUUID() }, sealed)).toThrow();
    }
  });

  it("does not open with a changed or missing byte", () => {
    for (const index of sealed.keys()) {
      const changed = Buffer.from(sealed);
      changed[index] = (changed[index] ?? 0) ^ 1;
      expect(() => openSecret(key, owner, changed)).toThrow();
      expect(() => openSecret(key, owner, sealed.subarray(0, index))).toThrow();
    }
  });
});
