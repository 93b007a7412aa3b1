import { describe, expect, it } from "vitest";
import { signatureKey, signWebhook } from "./signature.ts";

const KNOWN = [
  {
    secret: "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw",
    id: "msg_p5jXN8AQM9LWM0D4loKWxJek",
    timestamp: 1614265330,
    body: '{"test": 2432232314}',
    signature: "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=",
  },
  {
    secret: "whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD",
    id: "msg_27UH4WbU6Z5A5EzD8u03UvzRbpk",
    timestamp: 1649367553,
    body: '{"email":"test@example.com","username":"test_user"}',
    signature: "v1,tZ1I4/hDygAJgO5TYxiSd6Sd0kDW6hPenDe+bTa3Kkw=",
  },
];

describe("signWebhook", () => {
  it.each(KNOWN)("gives the known answer for $id", ({ secret, signature, ...message }) => {
    expect(signWebhook(message, [signatureKey(secret)])).toBe(signature);
    expect(signWebhook(message, [signatureKey(secret.slice("whsec_".length))])).toBe(signature);
  });

  it("signs with every key, in their order", () => {
    const [first, second] = KNOWN;
    if (first === undefined || second === undefined) throw new Error("two answers are known");
    const keys = [first.secret, second.secret].map(signatureKey);
    const [ours, other] = signWebhook(first, keys).split(" ");
    expect(ours).toBe(first.signature);
    expect(other).toBe(signWebhook(first, keys.slice(1)));
    expect(other).not.toBe(ours);
  });
});
