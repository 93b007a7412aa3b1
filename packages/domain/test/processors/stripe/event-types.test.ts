import { describe, expect, it } from "vitest";
import { readStripeEvent } from "../../../src/processors/intake/message.ts";

const NOW = new Date("2026-11-20T09:30:00.000Z");

/** The seconds until an event from this many seconds ago is processed. */
function delayOf(type: string, seconds_ago: number): number {
  const created = NOW.getTime() / 1000 - seconds_ago;
  const body = JSON.stringify({ id: "evt_1", type, created, livemode: false, data: { object: {} } });
  const { due_at } = readStripeEvent(body, { livemode: false, now: NOW });
  return (due_at.getTime() - NOW.getTime()) / 1000;
}

describe("an event is processed", () => {
  it.each(["payment_intent.succeeded", "charge.succeeded", "charge.captured"])(
    "a minute after it occurred: %s",
    (type) => {
      expect(delayOf(type, 0)).toBe(60);
      expect(delayOf(type, 45)).toBe(15);
      expect(delayOf(type, 60)).toBe(0);
      expect(delayOf(type, 86_400)).toBe(0);
    },
  );

  it("within a minute, regardless of Stripe's clock", () => {
    expect(delayOf("charge.succeeded", -3_600)).toBe(60);
  });

  it.each([
    "checkout.session.completed",
    "invoice.paid",
    "invoice_payment.paid",
    "charge.refunded",
    "unknown",
  ])("at once: %s", (type) => expect(delayOf(type, 0)).toBe(0));
});
