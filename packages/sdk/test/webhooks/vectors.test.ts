import {
  KNOWN_ANSWERS,
  VERIFICATION_VECTORS,
  type VerificationVector,
} from "@findersfee/domain/testing/webhooks/vectors";
import { signatureKey, signWebhook } from "@findersfee/domain/webhooks/deliveries/signature";
import { Webhook } from "standardwebhooks";
import { afterEach, describe, expect, it, vi } from "vitest";
import { verify } from "../../src/webhooks.ts";

afterEach(() => {
  vi.useRealTimers();
});

describe("the sender", () => {
  it.each(KNOWN_ANSWERS)("signs $id as in the known answer", ({ secret, signature, ...message }) => {
    expect(signWebhook(message, [signatureKey(secret)])).toBe(signature);
  });
});

describe("the SDK", () => {
  const encoder = new TextEncoder();

  async function judge({ headers, secret, now }: VerificationVector, body: string | Uint8Array) {
    return (await verify(body, headers, secret, { now: () => new Date(now * 1000) })).event;
  }

  it.each(VERIFICATION_VECTORS)("verifies: $name", async (vector) => {
    for (const body of [vector.body, encoder.encode(vector.body)]) {
      if (vector.refused === null) expect(await judge(vector, body)).toEqual(JSON.parse(vector.body));
      else await expect(judge(vector, body)).rejects.toMatchObject({ code: vector.refused });
    }
  });
});

describe("the reference verifier", () => {
  it.each(VERIFICATION_VECTORS)("verifies: $name", ({ headers, secret, now, body, ...expected }) => {
    vi.useFakeTimers({ now: now * 1000, toFake: ["Date"] });
    const judge = () => new Webhook(secret).verify(body, headers);
    if (expected.refused === null || expected.reference_accepts) expect(judge()).toEqual(JSON.parse(body));
    else expect(judge).toThrow();
  });
});
