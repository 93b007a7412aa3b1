import { z } from "zod";
import { leadOfLine } from "../campaigns/lead-commissions.ts";
import { recruitOfLine } from "../campaigns/recruiting.ts";
import { amount, currency, email, id, idInput, timestamp, wholeNumber } from "../fields.ts";
import { adjustmentOfLine } from "../ledger/adjustments.ts";
import { payoutConversions } from "../payouts/conversions.ts";
import { payoutStatuses } from "../payouts/payouts.ts";
import { rowPageOf, rowPageQuery } from "../row-pages.ts";
import { shownCustomer, shownRevenue } from "./earnings.ts";

const fields = {
  id,
  amount,
  currency,
  conversions: payoutConversions,
  period: z.string().meta({
    description: "The month of the payout's run, as `YYYY-MM`, in the organization's time zone then.",
    example: "2026-10",
  }),
  payment_count: z.int().meta({ description: "The number of commissions, reversals and adjustments in it." }),
  status: z.enum(payoutStatuses),
  status_at: timestamp.meta({ description: "When the payout got its status." }),
  paid_at: timestamp.nullable().meta({ description: "Null unless it is paid." }),
  created_at: timestamp,
};

/** A payout in the affiliate's own list. */
const ownPayoutSchema = z.object(fields);

export type OwnPayout = z.infer<typeof ownPayoutSchema>;

export const ownPayoutPageSchema = rowPageOf(ownPayoutSchema);

export const listOwnPayoutsInput = z.strictObject({ ...rowPageQuery });

export type ListOwnPayouts = z.output<typeof listOwnPayoutsInput>;

const lineSchema = z.object({
  id: id.meta({ description: "The commission's or the adjustment's." }),
  referral_date: timestamp.meta({
    description: "When the customer paid, or when the adjustment was created.",
  }),
  customer: shownCustomer.nullable().meta({ description: "Null for an adjustment, and for a recruit." }),
  revenue_amount: shownRevenue,
  amount: amount.meta({
    description: "As it was when the payout was created. Negative for a reversal.",
  }),
  currency: currency.optional().meta({
    description: "The currency of the amounts, if it is not the payout's: `conversions` has its rate.",
  }),
  reversal_of: id.nullable(),
  lead: leadOfLine,
  recruit: recruitOfLine,
  adjustment: adjustmentOfLine,
});

export type OwnStatementLine = z.infer<typeof lineSchema>;

const MAX_LINES = 500;

const lines = {
  lines: z
    .array(lineSchema)
    .meta({ description: "Oldest first. All of a payout add up to its amount, as converted." }),
  lines_after: id
    .nullable()
    .meta({ description: "`after` of the next page of lines; null: these are the last ones." }),
};

/** A payout with the first of its lines: the statement. */
export const statementSchema = z.object({
  ...fields,
  time_zone: z.string().meta({
    description:
      "The time zone of the days in the statement: the organization's when the payout's run started.",
    example: "Europe/Berlin",
  }),
  organization: z.object({ name: z.string(), support_email: email.nullable() }),
  affiliate: z.object({
    name: z.string().meta({ description: "When the payout was created." }),
    payout_email: z.string().nullable().meta({ description: "The address that the payout was sent to." }),
  }),
  ...lines,
});

export type OwnStatement = z.infer<typeof statementSchema>;

const limit = wholeNumber(1, MAX_LINES).default(MAX_LINES);

export const getStatementInput = z.strictObject({ id: idInput, limit });

export type GetStatement = z.output<typeof getStatementInput>;

export const statementLinesSchema = z.object(lines);

export type OwnStatementLines = z.infer<typeof statementLinesSchema>;

export const listStatementLinesInput = z.strictObject({ id: idInput, after: idInput, limit });

export type ListStatementLines = z.output<typeof listStatementLinesInput>;
