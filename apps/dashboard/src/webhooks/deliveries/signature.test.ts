import { signatureKey, signWebhook } from "@findersfee/domain/webhooks/deliveries/signature";
import { expect, it } from "vitest";
import { examine, type Step } from "./signature.ts";

const SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
const OTHER = "whsec_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA";
const SENT = { id: "evt_1", timestamp: "1795426200", body: '{"a": 1, "b": "naïve ✓"}' };

const signed = (secret: string) =>
  signWebhook({ ...SENT, timestamp: Number(SENT.timestamp) }, [signatureKey(secret)]);

async function resultsOf(secret: string, received: object): Promise<Step["result"][]> {
  return (await examine(SENT, { secret, received })).steps.map(({ result }) => result);
}

it("makes the signature that the service sends, and finds it among several", async () => {
  const { expected } = await examine(SENT, { secret: ` ${SECRET}\n`, received: {} });
  expect(expected).toBe(signed(SECRET));
  const signature = `${signed(OTHER)} ${signed(SECRET)}`;
  expect(await resultsOf(SECRET, { ...SENT, signature })).toEqual([
    "right",
    "right",
    "right",
    "right",
    "right",
  ]);
});

it("says which step differs", async () => {
  const signature = signed(SECRET);
  expect(await resultsOf(SECRET, {})).toEqual(["right", "unknown", "unknown", "unknown", "unknown"]);
  expect(await resultsOf(OTHER, { signature })).toMatchObject({ 4: "other_secret" });
  expect(await resultsOf(SECRET, { signature: "sha256=abc" })).toMatchObject({ 4: "no_version" });
  expect(await resultsOf("sk_live_1", { signature })).toMatchObject({ 0: "not_a_secret", 4: "unknown" });
  expect(await resultsOf("whsec_a~b", {})).toMatchObject({ 0: "not_base64" });
  expect(await resultsOf(SECRET, { id: "evt_2", timestamp: "1" })).toMatchObject({
    1: "other_id",
    2: "other_timestamp",
  });
  expect(await resultsOf(SECRET, { body: '{"b":"naïve ✓","a":1}' })).toMatchObject({ 3: "same_json" });
  expect(await resultsOf(SECRET, { body: '{"a":2}' })).toMatchObject({ 3: "other_body" });
});
