import { signatureKey, signWebhook } from "@findersfee/domain/webhooks/deliveries/signature";
import fc from "fast-check";
import { Webhook } from "standardwebhooks";
import { expect, it } from "vitest";
import { verify } from "../../src/webhooks.ts";

const now = Math.floor(Date.now() / 1000);

const id = fc.stringMatching(/^[0-9A-Za-z_-]{1,40}$/);
const timestamp = fc.integer({ min: now - 200, max: now + 200 });
const secret = fc
  .uint8Array({ minLength: 24, maxLength: 64 })
  .map((bytes) => `whsec_${Buffer.from(bytes).toString("base64")}`);
const body = fc
  .record({ type: fc.string(), data: fc.dictionary(fc.string({ unit: "binary" }), fc.jsonValue()) })
  .map((event) => JSON.stringify(event));
const message = fc.record({ id, timestamp, body });

interface Message {
  id: string;
  timestamp: number;
  body: string;
}

function headersOf({ id, timestamp }: Message, signature: string): Record<string, string> {
  return {
    "webhook-id": id,
    "webhook-timestamp": String(timestamp),
    "webhook-signature": signature,
  };
}

/** The results of the SDK for text and bytes, and of the reference: the event, or null for a rejection. */
async function judge(body: string, headers: Record<string, string>, secret: string): Promise<unknown[]> {
  return [
    await sdkJudges(body, headers, secret),
    await sdkJudges(new TextEncoder().encode(body), Object.entries(headers), secret),
    referenceJudges(body, headers, secret),
  ];
}

async function sdkJudges(...delivery: Parameters<typeof verify>): Promise<unknown> {
  return await verify(...delivery).then(
    ({ event }) => event,
    () => null,
  );
}

function referenceJudges(body: string, headers: Record<string, string>, secret: string): unknown {
  try {
    return new Webhook(secret).verify(body, headers);
  } catch {
    return null;
  }
}

it("verifies every signed body, with one or several secrets, like the reference", async () => {
  await fc.assert(
    fc.asyncProperty(message, fc.array(secret, { minLength: 1, maxLength: 3 }), async (message, secrets) => {
      const headers = headersOf(message, signWebhook(message, secrets.map(signatureKey)));
      const event = JSON.parse(message.body);
      for (const secret of secrets)
        expect(await judge(message.body, headers, secret)).toEqual([event, event, event]);
    }),
    { numRuns: 300 },
  );
});

/** Replaces, removes or adds one character. */
const edit = fc.record({
  at: fc.double({ min: 0, max: 1, noNaN: true, maxExcluded: true }),
  how: fc.constantFrom("replace", "remove", "insert"),
  character: fc.constantFrom(...'aZ09+/=- {}"é🦊\u0000'),
});

function change(
  text: string,
  { at, how, character }: { at: number; how: string; character: string },
): string {
  const characters = [...text];
  const index = Math.floor(at * characters.length);
  characters.splice(index, how === "insert" ? 0 : 1, ...(how === "remove" ? [] : [character]));
  return characters.join("");
}

it("rejects any change of body, id, timestamp or signature, like the reference", async () => {
  const part = fc.constantFrom("body", "id", "timestamp", "signature");
  await fc.assert(
    fc.asyncProperty(message, secret, part, edit, async (message, secret, part, edit) => {
      const signature = signWebhook(message, [signatureKey(secret)]);
      const changed = { ...message };
      if (part === "body") changed.body = change(message.body, edit);
      if (part === "id") changed.id = change(message.id, edit);
      if (part === "timestamp") changed.timestamp += Math.ceil(edit.at * 50 + 1);
      const given = part === "signature" ? change(signature, edit) : signature;
      // Spaces separate signatures, so a trailing one changes nothing.
      fc.pre(given.trim() !== signature || JSON.stringify(changed) !== JSON.stringify(message));
      expect(await judge(changed.body, headersOf(changed, given), secret)).toEqual([null, null, null]);
    }),
    { numRuns: 1000 },
  );
});
