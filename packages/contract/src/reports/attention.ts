import { z } from "zod";
import { conversionStateSchema } from "../exchange-rates.ts";
import { amount, currency, id, timestamp } from "../fields.ts";

/** More of one kind are not counted. */
export const MAX_ATTENTION = 1000;

const count = z.int().meta({ description: `At most ${MAX_ATTENTION}.` });

/** The way in which the service handles mails. */
export const mailDeliverySchema = z
  .enum(["sent", "local", "no_mail_server", "no_public_url"])
  .nullable()
  .meta({
    description:
      "How workers handle mails. `sent`: they send them. `local`: without a mail server, they show them to owners and admins, on one machine. `no_mail_server`: they drop them. `no_public_url`: they drop those with a link. Null: no worker runs.",
  });

export const unsentMailsSchema = z
  .object({
    count,
    since: timestamp
      .nullable()
      .meta({ description: "When the first of them was dropped; null without any." }),
  })
  .meta({ id: "UnsentMails", description: "Mails that were dropped because the service cannot send them." });

const failingHost = z
  .object({
    host: z.string(),
    failing_since: timestamp,
    served_until: timestamp.nullable().meta({
      description: "When the custom domain stops being served; null: it is no longer served.",
    }),
  })
  .nullable();

export const attentionSchema = z
  .object({
    mail_delivery: mailDeliverySchema,
    unsent_mails: unsentMailsSchema,
    stalled_work: z
      .object({
        due_at: timestamp.meta({ description: "Since when the oldest work waits." }),
        workers: z.int().meta({ description: "Running workers." }),
      })
      .nullable()
      .meta({ description: "Work that has been due for more than five minutes; null: none." }),
    ledger_damage: z
      .object({
        rows: z.int().meta({ description: "Rows that break a rule of the ledger." }),
        checked_at: timestamp,
      })
      .nullable()
      .meta({
        description:
          "The findings of the last nightly check of the ledger, unless a later check found nothing; null: it adds up.",
      }),
    stripe_events: z
      .object({
        missing: z.array(z.string()).meta({ description: "Event types that the endpoint at Stripe lacks." }),
        error: z.string().nullable().meta({ description: "Why the last check of the endpoint failed." }),
      })
      .nullable()
      .meta({
        description:
          "The problem with the endpoint at Stripe; null: none, or there is no API key to check it.",
      }),
    codes_without_key: count.meta({
      description: `Promo codes that do not exist at Stripe, because the organization has stored no API key of Stripe. At most ${MAX_ATTENTION}.`,
    }),
    silent_campaigns: z.array(z.object({ campaign_id: id, name: z.string(), website_url: z.string() })).meta({
      description:
        "Campaigns with affiliates for more than three days and without a click: their website may lack the script. The first few.",
    }),
    applications: z.object({
      count,
      oldest_at: timestamp.nullable().meta({ description: "Null without any." }),
    }),
    claims: z.object({
      count,
      oldest_at: timestamp.nullable().meta({ description: "Null without any." }),
    }),
    reviews: z
      .object({
        count,
        oldest_at: timestamp.nullable().meta({
          description: "When the customer paid of the one with the earliest date; null without any.",
        }),
      })
      .meta({ description: "Commissions in review." }),
    failing_endpoints: z.array(
      z.object({
        endpoint_id: id,
        url: z.string(),
        failing_since: timestamp,
        pending: count.meta({ description: `Deliveries that wait, at most ${MAX_ATTENTION}.` }),
      }),
    ),
    portal_host: failingHost.meta({
      description:
        "The portal's custom domain, if its TXT record is gone; null: it is verified, or there is none.",
    }),
    link_host: failingHost.meta({
      description:
        "The custom link domain, if its TXT record is gone; null: it is verified, or there is none.",
    }),
    unreachable_hosts: z
      .array(
        z.object({
          use: z.enum(["portal", "link"]),
          host: z.string(),
          since: timestamp.meta({
            description: "When a check first found that the service does not answer there.",
          }),
        }),
      )
      .meta({
        description:
          "Verified custom domains at which the service has stopped answering, such as after a change of DNS or of the proxy's certificate.",
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
      description: `Affiliates with an amount due. An affiliate with several currencies counts once. At most ${MAX_ATTENTION}.`,
    }),
    stale_holds: count.meta({
      description: `Affiliates with an amount due that payout runs leave out because of a ban that has ended. At most ${MAX_ATTENTION}.`,
    }),
    owed_to_erased: count.meta({
      description: `Erased affiliates with an amount due, because a payout came back. At most ${MAX_ATTENTION}.`,
    }),
    conversion: conversionStateSchema,
    waiting_runs: count.meta({ description: "Payout runs that wait for the approval of a second member." }),
    next_run_on: z.iso.date().nullable().meta({
      description:
        "The date of the next automatic payout run, in the organization's time zone; null: none is planned.",
    }),
  })
  .meta({ id: "Attention", description: "The open tasks for people. A count of 0 needs nothing." });

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

/** The balances in all currencies, converted at the reference rates of today, or else of the last 7 days. */
export const convertedBalancesSchema = z
  .object({
    currency: currency.meta({ description: "The organization's." }),
    held: amount,
    due: amount,
    in_payout: amount,
    total: amount.meta({ description: "The sum of the three." }),
    missing_rates: z
      .array(currency)
      .meta({ description: "Currencies that are left out, since no rate of theirs is known." }),
  })
  .meta({ id: "ConvertedBalances" });

export type ConvertedBalances = z.infer<typeof convertedBalancesSchema>;
