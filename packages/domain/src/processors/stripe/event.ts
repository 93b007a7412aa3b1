import { z } from "zod";
import type { PaymentFact } from "../../attribution/facts/payment-fact.ts";
import { time } from "./fields.ts";

/** The path of an event's object, for reasons that name one of its fields. */
export const OBJECT = "data.object";

/** https://docs.stripe.com/api/events/object */
export const eventSchema = z.object({
  type: z.string(),
  created: time,
  data: z.object({ object: z.looseObject({}) }),
});

/** A Stripe event of a supported type. */
export interface StripeEvent {
  type: string;
  /** When it happened, to the second. */
  at: Date;
  object: unknown;
}

/** The result of parsing an event of one type. */
export type Reader = (event: StripeEvent) => PaymentFact[] | { skipped: string };
