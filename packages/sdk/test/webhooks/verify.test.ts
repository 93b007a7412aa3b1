import { newSigningSecret } from "@findersfee/domain/secrets/secrets";
import { describe, expect, expectTypeOf, it } from "vitest";
import {
  type RawBody,
  type VerifiedDelivery,
  verify,
  type WebhookEvent,
  type WebhookHeaders,
  WebhookVerificationError,
} from "../../src/webhooks.ts";
import { BODY, SECRET, signedDelivery } from "./signed-delivery.ts";

const EVENT = JSON.parse(BODY);
const { headers } = signedDelivery();

/** Returns the verification error. */
async function refusal(...[body, given, secret, options]: Parameters<typeof verify>) {
  const error: unknown = await verify(body, given, secret, options).then(
    () => null,
    (reason) => reason,
  );
  if (!(error instanceof WebhookVerificationError)) throw new Error(`not a verification error: ${error}`);
  return error;
}

/** An argument as an untyped program passes it. */
function untyped<Type>(value: unknown): Type {
  return value as Type;
}

describe("the body", () => {
  const bytes = new TextEncoder().encode(BODY);
  const offset = new Uint8Array(bytes.length + 20);
  offset.set(bytes, 7);

  it.each<[string, RawBody]>([
    ["text", BODY],
    ["bytes", bytes],
    ["bytes inside a larger buffer", offset.subarray(7, 7 + bytes.length)],
    ["Node's Buffer", Buffer.from(BODY)],
    ["an ArrayBuffer", bytes.slice().buffer],
  ])("may be %s", async (_, body) => {
    expect((await verify(body, headers, SECRET)).event).toEqual(EVENT);
  });

  it("can have any length, across hash block boundaries", async () => {
    for (let length = 0; length < 200; length++) {
      const { body, headers } = signedDelivery({ body: JSON.stringify({ data: "n".repeat(length) }) });
      for (const raw of [body, Buffer.from(body)])
        expect((await verify(raw, headers, SECRET)).event).toEqual(JSON.parse(body));
    }
  });

  it("is parsed from the verified bytes even if its buffer is reused concurrently", async () => {
    const reused = bytes.slice();
    const verified = verify(reused, headers, SECRET);
    await Promise.resolve().then(() => reused.fill(0x20));
    // Either the body was copied before the change, or verification notices the change; the changed body
    // never passes.
    expect(await verified.then(({ event }) => event).catch(({ code }) => code)).toSatisfy(
      (result: unknown) => result === "no_match" || JSON.stringify(result) === BODY,
    );
  });

  it.each([
    ["a parsed one", EVENT, "parsed_body", /parsed.*express\.raw.*Fastify.*request\.text\(\)/],
    ["a parsed body converted to text", "[object Object]", "no_match", /\[object Object\].*parsed/],
    [
      "a body parsed and serialized again",
      JSON.stringify(EVENT, null, 2),
      "no_match",
      /parsed and serialized again/,
    ],
    ["a body decoded in pieces", BODY.replace("ï", "\ufffd\ufffd"), "no_match", /U\+FFFD.*piece by piece/],
    ["none", undefined, "invalid_body", /undefined.*raw body/],
    ["an empty body", "", "invalid_body", /empty.*body parser/],
    ["empty bytes", new Uint8Array(), "invalid_body", /empty/],
    ["a promise", Promise.resolve(BODY), "invalid_body", /promise/],
    ["a request", new Request("http://localhost", { method: "POST", body: BODY }), "invalid_body", /request/],
    ["a stream", new Blob([BODY]).stream(), "invalid_body", /stream/],
    ["a number", 5, "parsed_body", /parsed/],
  ])("explains %s", async (_, body, code, message) => {
    const error = await refusal(untyped(body), headers, SECRET);
    expect(error.code).toBe(code);
    expect(error.message).toMatch(message);
  });

  it.each(["", "no JSON", "5", "null", "[]", "\ufeff{}"])(
    "rejects %j although it is signed",
    async (body) => {
      const delivery = signedDelivery({ body });
      expect(await refusal(body, delivery.headers, SECRET)).toMatchObject({ code: "invalid_body" });
      const bytes = new TextEncoder().encode(body);
      expect(await refusal(bytes, delivery.headers, SECRET)).toMatchObject({ code: "invalid_body" });
    },
  );
});

describe("the headers", () => {
  const upper = Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name.toUpperCase(), value]),
  );

  it.each<[string, WebhookHeaders]>([
    ["an object", headers],
    ["an object with names in another case", upper],
    [
      "an object with lists",
      Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, [value]])),
    ],
    ["an object without a prototype", Object.assign(Object.create(null), headers)],
    ["Headers", new Headers(headers)],
    ["a Map with names in another case", new Map(Object.entries(upper))],
    ["pairs", Object.entries(upper)],
    ["an iterator that runs once", new Headers(headers).entries()],
  ])("may be %s", async (_, given) => {
    expect((await verify(BODY, given, SECRET)).event).toEqual(EVENT);
  });

  it("can be numbers in untyped programs", async () => {
    const { headers } = signedDelivery();
    const given = { ...headers, "webhook-timestamp": Number(headers["webhook-timestamp"]), cookie: null };
    expect((await verify(BODY, untyped(given), SECRET)).event).toEqual(EVENT);
  });

  it("reports missing headers by name", async () => {
    const { "webhook-id": _, ...rest } = headers;
    const error = await refusal(BODY, rest, SECRET);
    expect(error).toMatchObject({ code: "missing_header", message: expect.stringMatching(/webhook-id\./) });
    expect((await refusal(BODY, {}, SECRET)).message).toMatch(
      /webhook-id, webhook-timestamp, webhook-signature.*proxy/,
    );
    for (const none of [undefined, null, "text"])
      expect(await refusal(BODY, untyped(none), SECRET)).toMatchObject({ code: "missing_header" });
  });

  it("rejects an id with a dot, which could replace the timestamp", async () => {
    const dotted = signedDelivery({ id: "event.1" });
    expect(await refusal(BODY, dotted.headers, SECRET)).toMatchObject({ code: "invalid_id" });
  });

  it("are rejected when any bit of the signature is wrong", async () => {
    const { "webhook-signature": signature = "" } = headers;
    const right = Buffer.from(signature.slice("v1,".length), "base64");
    for (let bit = 0; bit < 256; bit++) {
      const wrong = right.map((byte, index) => (index === bit >> 3 ? byte ^ (1 << (bit & 7)) : byte));
      const changed = { ...headers, "webhook-signature": `v1,${Buffer.from(wrong).toString("base64")}` };
      expect(await refusal(BODY, changed, SECRET)).toMatchObject({ code: "no_match" });
    }
  });

  it.each(["v1,AAAA", "v2,AAAA v1,", "v2,AAAA", "AAAA"])(
    "are missing if none can be read: %s",
    async (signature) => {
      const changed = { ...headers, "webhook-signature": signature };
      expect(await refusal(BODY, changed, SECRET)).toMatchObject({
        code: "no_match",
        message: "webhook-signature contains no well-formed v1 signature.",
      });
    },
  );

  it("checks up to 16 signatures", async () => {
    const { "webhook-signature": signature } = headers;
    const behind = (count: number) => ({
      ...headers,
      "webhook-signature": [...Array(count).fill(`v1,${"A".repeat(43)}=`), signature].join(" "),
    });
    expect((await verify(BODY, behind(15), SECRET)).event).toEqual(EVENT);
    expect(await refusal(BODY, behind(16), SECRET)).toMatchObject({ code: "no_match" });
  });

  it("reports a duplicate header", async () => {
    const twice = { ...headers, "webhook-timestamp": [headers["webhook-timestamp"] ?? "", "1"] };
    expect(await refusal(BODY, twice, SECRET)).toMatchObject({ code: "invalid_timestamp" });
  });
});

describe("the secret", () => {
  it.each([
    ["empty", "", /empty.*environment variable/],
    ["missing", undefined, /empty.*environment variable/],
    ["nothing but its prefix", "whsec_", /empty/],
    ["no secrets at all", [], /empty/],
    ["an API key", `ff_sk_${"a".repeat(43)}`, /API key.*whsec_/],
    ["a publishable key", `ff_pk_${"a".repeat(43)}`, /API key/],
    ["without its padding", SECRET.replace(/=$/, ""), /truncated.*43.*`=`/],
    ["truncated", SECRET.slice(0, 20), /truncated/],
    ["behind a line break", `\n${SECRET}`, /whitespace/],
    ["before a line break", `${SECRET}\n`, /whitespace/],
    ["in quotation marks", `"${SECRET}"`, /quotation marks/],
    ["in the alphabet of URLs", "whsec_ab-_", /standard base64/],
    ["no base64", "whsec_naïve!!", /not base64/],
    ["with padding in its middle", "whsec_YQ==YQ==", /not base64/],
    ["with spare bits", "whsec_YR==", /not base64/],
    ["a valid secret next to an invalid one", [SECRET, "whsec_notWhole9"], /truncated/],
  ])("is rejected with advice: %s", async (_, secret, message) => {
    const error = await refusal(BODY, headers, untyped(secret));
    expect(error.code).toBe("invalid_secret");
    expect(error.message).toMatch(message);
    for (const text of [secret].flat()) if (text) expect(error.message).not.toContain(text.slice(6) || text);
  });

  it("can be one of several, on either side of a rotation", async () => {
    const [former, next] = [newSigningSecret(), newSigningSecret()];
    const rotating = signedDelivery({ secrets: [former, next] });
    for (const secret of [former, next, [former, next], [next, SECRET], next.slice("whsec_".length)])
      expect((await verify(rotating.body, rotating.headers, secret)).event).toEqual(EVENT);
    const after = signedDelivery({ secrets: [next] });
    expect((await verify(after.body, after.headers, [former, next])).event).toEqual(EVENT);
    expect(await refusal(after.body, after.headers, former)).toMatchObject({
      code: "no_match",
      message: expect.stringContaining("secret is not that of this endpoint"),
    });
  });

  it("can be shorter or longer than a hash block", async () => {
    for (const length of [1, 24, 63, 64, 65, 200]) {
      const secret = `whsec_${Buffer.alloc(length, 7).toString("base64")}`;
      const { headers } = signedDelivery({ secrets: [secret] });
      expect((await verify(BODY, headers, secret)).event).toEqual(EVENT);
      expect(await refusal(BODY, headers, SECRET)).toMatchObject({ code: "no_match" });
    }
  });
});

describe("the clock", () => {
  it("is shown in the error when wrong", async () => {
    const now = () => new Date("2020-01-01T00:00:00Z");
    const error = await refusal(BODY, headers, SECRET, { now });
    expect(error.code).toBe("timestamp_too_new");
    expect(error.message).toMatch(/2020-01-01T00:00:00\.000Z.*300 s.*NTP/);
  });

  it("rejects everything when invalid", async () => {
    const now = () => new Date(Number.NaN);
    expect((await refusal(BODY, headers, SECRET, { now })).code).toBe("timestamp_too_old");
  });

  it("supports another tolerance", async () => {
    const old = signedDelivery({ timestamp: Math.floor(Date.now() / 1000) - 3000 });
    expect((await verify(old.body, old.headers, SECRET, { toleranceSeconds: 3600 })).event).toEqual(EVENT);
    for (const toleranceSeconds of [Number.NaN, Number.POSITIVE_INFINITY, -1])
      await expect(verify(BODY, headers, SECRET, { toleranceSeconds })).rejects.toThrow(TypeError);
  });
});

it("returns known types as typed events, and types of later versions unchanged", async () => {
  const { event } = await verify(BODY, headers, SECRET);
  expectTypeOf(event).toEqualTypeOf<WebhookEvent>();
  if (event.type === "commission.created") expectTypeOf(event.data.commission_amount).toBeNumber();
  const later = signedDelivery({ body: '{"type":"payout.paid","data":{"id":"1"}}' });
  expect((await verify(later.body, later.headers, SECRET)).event).toEqual({
    type: "payout.paid",
    data: { id: "1" },
  });
});

it("returns the delivery's id, the attempt's time and the event", async () => {
  const timestamp = Math.floor(Date.now() / 1000) - 17;
  const delivery = signedDelivery({ id: "0199d3a1-6a7e-7c44-9a51-3f2b8c6d1e90", timestamp });
  const verified = await verify(delivery.body, delivery.headers, SECRET);
  expectTypeOf(verified).toEqualTypeOf<VerifiedDelivery>();
  expect(verified).toEqual({
    event: EVENT,
    id: "0199d3a1-6a7e-7c44-9a51-3f2b8c6d1e90",
    timestamp: new Date(timestamp * 1000),
  });
});
