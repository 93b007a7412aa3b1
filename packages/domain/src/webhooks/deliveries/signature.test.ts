import { describe, expect, it } from "vitest";
import { ALSO_PUBLISHED, KNOWN_ANSWERS, PUBLISHED } from "../../../test/webhooks/vectors.ts";
import { signatureKey, signWebhook } from "./signature.ts";

describe("signWebhook", () => {
  it.each(KNOWN_ANSWERS)("signs $id as the known answer", ({ secret, signature, ...message }) => {
    expect(signWebhook(message, [signatureKey(secret)])).toBe(signature);
    expect(signWebhook(message, [signatureKey(secret.slice("whsec_".length))])).toBe(signature);
  });

  it("signs with each key in order", () => {
    const keys = [PUBLISHED.secret, ALSO_PUBLISHED.secret].map(signatureKey);
    const [ours, other] = signWebhook(PUBLISHED, keys).split(" ");
    expect(ours).toBe(PUBLISHED.signature);
    expect(other).toBe(signWebhook(PUBLISHED, keys.slice(1)));
    expect(other).not.toBe(ours);
  });
});
