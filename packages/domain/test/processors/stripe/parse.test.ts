import { api_versions } from "@findersfee/samples/stripe/api-version";
import { stripeEvent } from "@findersfee/samples/stripe/event";
import { assert, constantFrom, integer, jsonValue, property, tuple } from "fast-check";
import { describe, expect, it } from "vitest";
import type { PaymentFact } from "../../../src/attribution/facts/payment-fact.ts";
import type { ParsedMessage } from "../../../src/processors/parsed-message.ts";
import { stripe_event_types } from "../../../src/processors/stripe/event-types.ts";
import { parseStripeMessage } from "../../../src/processors/stripe/parse.ts";
import { readPromotionCode } from "../../../src/processors/stripe/promotion-code.ts";
import { factsOf } from "../parsed.ts";
import { NOON, oneOfEach, types_by_object } from "./samples.ts";

/** Every event that is read, in both versions. */
const events = api_versions.flatMap((api_version) =>
  oneOfEach(api_version).flatMap((object) =>
    (types_by_object[object.object] ?? []).map((type) =>
      stripeEvent({ type, object, api_version, created: NOON + 60 }),
    ),
  ),
);

describe("parseStripeMessage", () => {
  it("reads each listed type in both versions", () => {
    const types = Object.values(types_by_object).flat();
    expect([...stripe_event_types].sort()).toEqual([...types].sort());
    for (const event of events) factsOf(parseStripeMessage(event));
  });

  it.each(["payout.paid", "checkout.session.expired", "v1.customer.created", "", "constructor", "__proto__"])(
    "skips %j",
    (type) => {
      expect(parseStripeMessage({ type, created: null })).toMatchObject({ outcome: "skipped" });
    },
  );

  it.each([
    [null, "Required: an object."],
    [[], "Must be an object, not an array."],
    [{}, "type: Required."],
    [{ type: 1 }, "type: Must be a string, not a number."],
    [{ type: "invoice.paid" }, "created: Required."],
    [{ type: "invoice.paid", created: -1, data: { object: {} } }, "created: Must be at least 0."],
    [{ type: "invoice.paid", created: 1 }, "data: Required."],
    [
      { type: "invoice.paid", created: 1, data: { object: [] } },
      "data.object: Must be an object, not an array.",
    ],
    [{ type: "invoice.paid", created: 1, data: { object: {} } }, "data.object.id: Required."],
  ])("dead-letters %j", (event, reason) => {
    expect(parseStripeMessage(event)).toEqual({ outcome: "unsupported", reason });
  });

  it.each([
    ["charge", "amount currency id"],
    ["checkout.session", "amount_total created currency id mode payment_status total_details"],
    ["customer", "created id"],
    ["discount", "id promotion_code start"],
    ["dispute", "amount charge created currency id status"],
    ["invoice", "amount_paid currency id lines total"],
    ["invoice_payment", "id invoice payment"],
    ["payment_intent", "amount_received currency id"],
    ["promotion_code", "active code id"],
    ["refund", "amount created currency id"],
    ["subscription", "customer id status"],
  ])("requires few fields of a %s", (kind, needed) => {
    for (const api_version of api_versions) {
      const object = oneOfEach(api_version).find((sample) => sample.object === kind);
      const type = types_by_object[kind]?.[0] ?? "";
      const fields = Object.keys(object ?? {}).filter((name) => {
        const without = { ...object, [name]: undefined };
        return parseStripeMessage({ type, created: 1, data: { object: without } }).outcome !== "facts";
      });
      expect(fields.sort().join(" ")).toBe(needed);
    }
  });

  it("throws for invalid JSON", () => {
    assert(
      property(jsonValue({ maxDepth: 4 }), constantFrom(...stripe_event_types), (value, type) => {
        for (const event of [value, { type, created: 1, data: { object: value } }]) {
          checkParsed(parseStripeMessage(event));
          readPromotionCode(event);
        }
      }),
    );
  });

  it("parses any altered event without throwing", () => {
    const anything = jsonValue({ maxDepth: 2 });
    const change = tuple(integer({ min: 0 }), anything);
    assert(
      property(constantFrom(...events), change, change, (event, one, other) => {
        checkParsed(parseStripeMessage(changed(changed(event, one), other)));
      }),
      { numRuns: 3000 },
    );
  });
});

/** The same with another value somewhere in it; at which place the number chooses. */
function changed(value: unknown, [place, other]: [number, unknown]): unknown {
  if (typeof value !== "object" || value === null) return other;
  const entries = Object.entries(value);
  const index = place % (entries.length + 1);
  if (index === entries.length) return place % 7 === 0 ? other : value;
  const inner = changed(entries[index]?.[1], [Math.floor(place / (entries.length + 1)), other]);
  if (Array.isArray(value)) return value.map((item, at) => (at === index ? inner : item));
  return Object.fromEntries(entries.map(([name, one], at) => [name, at === index ? inner : one]));
}

/** Each message either has facts or the reason why not. */
function checkParsed(parsed: ParsedMessage): void {
  if (parsed.outcome === "facts") parsed.facts.forEach(checkFact);
  else expect(parsed.reason).toMatch(/\S/);
}

function checkFact(event: PaymentFact): void {
  expect(event.subject).not.toBe("");
  const dates = Object.values(event).filter((value) => value instanceof Date);
  for (const date of dates) expect(Number.isNaN(date.getTime())).toBe(false);
  if (event.kind === "payment" && event.lines.length > 0) {
    const sum = event.lines.reduce((total, { amount_minor }) => total + amount_minor, 0n);
    expect(sum).toBe(event.revenue_minor);
  }
}
