import { z } from "zod";
import { amount, currency, id, timestamp } from "../fields.ts";

/** More of one kind are not counted. */
export const MAX_ATTENTION = 1000;

const count = z.int().meta({ description: `At most ${MAX_ATTENTION}.` });

export const attentionSchema = z
  .object({
    applications: z.object({
      count,
      oldest_at: timestamp.nullable().meta({ description: "Null without any." }),
    }),
    claims: z.object({
      count,
      oldest_at: timestamp.nullable().meta({ description: "Null without any." }),
    }),
    failing_endpoints: z.array(
      z.object({
        endpoint_id: id,
        url: z.string(),
        failing_since: timestamp,
        pending: count.meta({ description: `Deliveries that wait, at most ${MAX_ATTENTION}.` }),
      }),
    ),
    portal_host: z
      .object({
        host: z.string(),
        failing_since: timestamp,
        served_until: timestamp.nullable().meta({
          description: "When the host name stops being served; null: it is no longer served.",
        }),
      })
      .nullable()
      .meta({
        description:
          "The portal's host name, if its TXT record is gone; null: it is proven, or there is none.",
      }),
    mails_awaiting_quota: z
      .object({
        count,
        until: timestamp.nullable().meta({ description: "When they are sent; null without any." }),
      })
      .meta({ description: "Emails to people who have not agreed that wait for the next day's quota." }),
    dead_lettered_messages: count,
    failed_promo_codes: count,
    due_affiliates: count.meta({
      description: `Affiliates to whom something is due, also if that is in several currencies. At most ${MAX_ATTENTION}.`,
    }),
    stale_holds: count.meta({
      description: `Affiliates to whom something is due and whom payout runs leave out because of a ban that has ended. At most ${MAX_ATTENTION}.`,
    }),
    owed_to_erased: count.meta({
      description: `Erased affiliates to whom something is due, because a payout came back. At most ${MAX_ATTENTION}.`,
    }),
    waiting_runs: count.meta({ description: "Payout runs that wait for the approval of a second member." }),
    next_run_on: z.iso.date().nullable().meta({
      description:
        "The date of the next automatic payout run, in the organization's time zone; null: none is planned.",
    }),
  })
  .meta({ id: "Attention", description: "What waits for a person. A count of 0 needs nothing." });

export type Attention = z.infer<typeof attentionSchema>;

export const balanceTotalSchema = z
  .object({
    currency,
    held: amount.meta({ description: "Not in a payout, and still in the holding period." }),
    due: amount.meta({ description: "Not in a payout, and payable." }),
    in_payout: amount.meta({ description: "In payouts that are pending or processing." }),
    payees: z.int().meta({ description: "Affiliates with an amount that is held or due." }),
  })
  .meta({ id: "BalanceTotal" });

export type BalanceTotal = z.infer<typeof balanceTotalSchema>;
