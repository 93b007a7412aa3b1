import { z } from "zod";
import type { PaymentFact } from "../../attribution/facts/payment-fact.ts";
import { time } from "./fields.ts";

/** The path of what an event is about, for reasons that name a field of it. */
export const OBJECT = "data.object";

/** https://docs.stripe.com/api/events/object */
export const eventSchema = z.object({
  type: z.string(),
  created: time,
  data: z.object({ object: z.looseObject({}) }),
});

/** A Stripe event of a type that means something here. */
export interface StripeEvent {
  type: string;
  /** When it happened, to the second. */
  at: Date;
  object: unknown;
}

/** What an event of some type says. */
export type Reader = (event: StripeEvent) => PaymentFact[] | { skipped: string };
