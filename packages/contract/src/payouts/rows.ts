import { z } from "zod";
import { leadOfLine } from "../campaigns/lead-commissions.ts";
import { recruitOfLine } from "../campaigns/recruiting.ts";
import { amount, currency, currencyInput, id, idInput, timestamp, timestampInput } from "../fields.ts";
import { adjustmentOfLine } from "../ledger/adjustments.ts";
import { ledgerEntrySchema } from "../ledger/entries.ts";
import { rowPageOf, rowPageQuery, searchText } from "../row-pages.ts";
import { reducedAffiliateSchema } from "../webhooks/events.ts";
import { payoutConversions } from "./conversions.ts";
import { payoutMethods, payoutStatuses } from "./payouts.ts";

const fields = {
  id,
  affiliate: reducedAffiliateSchema,
  affiliate_name: z.string().meta({ description: "The affiliate's name when the payout was created." }),
  payout_email: z.string().nullable().meta({ description: "The address that the payout is sent to." }),
  amount,
  currency,
  conversions: payoutConversions,
  payment_count: z.int().meta({ description: "The number of commissions and adjustments in the payout." }),
  period: z.string().meta({
    description: "The month of the payout's run, as `YYYY-MM`, in the organization's time zone then.",
  }),
  status: z.enum(payoutStatuses),
  method: z.enum(payoutMethods),
  status_at: timestamp.meta({ description: "When the payout got its status." }),
  status_reason: z.string().nullable().meta({ description: "Why it failed or was canceled." }),
  run_id: id.nullable(),
  created_at: timestamp,
};

/** A payout in the dashboard's lists. */
const payoutRowSchema = z.object(fields).meta({ id: "PayoutListRow" });

export type PayoutListRow = z.infer<typeof payoutRowSchema>;

export const payoutRowPageSchema = rowPageOf(payoutRowSchema);

/** Open payouts are pending or processing. */
const payoutFilters = ["open", ...payoutStatuses] as const;

const filters = {
  run_id: idInput.optional(),
  affiliate_id: idInput.optional(),
  status: z.enum(payoutFilters).optional().meta({ description: "`open`: pending or processing." }),
  currency: currencyInput.optional(),
  created_from: timestampInput.optional(),
  created_until: timestampInput.optional(),
  text: searchText.optional().meta({
    description:
      "The beginning of the affiliate's email, name or code; a payout's id, or its reference at PayPal.",
  }),
};

export const listPayoutRowsInput = z.strictObject({ ...rowPageQuery, ...filters });

export type ListPayoutRows = z.output<typeof listPayoutRowsInput>;

/** All payouts of the list's filters. */
export const exportPayoutRowsInput = z.strictObject(filters);

export type ExportPayoutRows = z.output<typeof exportPayoutRowsInput>;

export const openPayoutsInput = z.strictObject({ run_id: idInput });

export const openPayoutsSchema = z.object({
  ids: z.array(id).meta({ description: "At most as many as one call moves." }),
  has_more: z.boolean(),
});

export type OpenPayouts = z.infer<typeof openPayoutsSchema>;

const lineSchema = z.object({
  id: id.meta({ description: "The commission's or the adjustment's." }),
  referral_date: timestamp.meta({
    description: "When the customer paid, or when the adjustment was created.",
  }),
  customer_email: z.string().nullable().meta({ description: "Null for an adjustment, or for a recruit." }),
  statement_customer: z.string().nullable().meta({
    description:
      "The customer as the affiliate may see it: the email, partly hidden if the campaign hides emails.",
  }),
  revenue_amount: amount
    .nullable()
    .meta({ description: "Null for an adjustment or a lead, and for a recruit." }),
  amount: amount.meta({
    description: "The amount of the commission or adjustment. Negative for a reversal.",
  }),
  currency: currency.optional().meta({
    description: "The currency of the amounts, if it is not the payout's: `conversions` has its rate.",
  }),
  reversal_of: id.nullable(),
  lead: leadOfLine,
  recruit: recruitOfLine,
  adjustment: adjustmentOfLine,
});

export type StatementLine = z.infer<typeof lineSchema>;

/** More commissions are not in a statement; the list of commissions and its export have all. */
export const MAX_STATEMENT_LINES = 1000;

export const payoutDetailSchema = z
  .object({
    ...fields,
    time_zone: z.string().meta({
      description: "The time zone of the days in its statement: the organization's when the run started.",
      example: "Europe/Berlin",
    }),
    is_erased: z.boolean().meta({
      description: "Whether the affiliate was erased: if the payout fails, nobody can be paid.",
    }),
    reference: z.string().meta({ description: "The payout's reference in PayPal's files." }),
    run: z
      .object({
        id,
        number: z.int().meta({ description: "The run's number within its month." }),
        started_by: z.string(),
        started_by_name: z.string().nullable(),
      })
      .nullable(),
    history: z
      .array(
        z.object({
          status: z.enum(payoutStatuses),
          at: timestamp,
          actor: z.string(),
          actor_name: z.string().nullable(),
          reason: z.string().nullable(),
        }),
      )
      .meta({ description: "Each status, oldest first." }),
    ledger: z.array(ledgerEntrySchema).meta({ description: "Its ledger entries, oldest first." }),
    lines: z.array(lineSchema).meta({
      description: `Its first ${MAX_STATEMENT_LINES} commissions and adjustments, oldest first; they add up to the amount, as converted.`,
    }),
  })
  .meta({ id: "PayoutDetail" });

export type PayoutDetail = z.infer<typeof payoutDetailSchema>;
