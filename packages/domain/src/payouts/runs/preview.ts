import type { PayoutPreview, PreviewPayoutRun } from "@findersfee/contract/payouts/runs";
import type { RowPage } from "@findersfee/contract/row-pages";
import {
  findLastSearched,
  isFrequent,
  listPreviewRows,
  type PreviewFilter,
  type PreviewPosition,
  type PreviewRow,
} from "@findersfee/database/payouts/previews";
import { z } from "zod";
import { agreementOf } from "../../affiliates/state.ts";
import type { Context } from "../../context.ts";
import { invalidField } from "../../errors.ts";
import { toMajor } from "../../money.ts";
import { findAffiliateText } from "../../people-with-text.ts";
import { readRowPage } from "../../row-pages.ts";
import { readPreview } from "./read-preview.ts";

/** The rows in which a text that many affiliates may have is looked for. A page with fewer rows continues behind them. */
const SEARCHED = 2_000;

/**
 * Previews the next run: each affiliate and currency with unpaid commissions, by currency, the largest amount first. Errors:
 * `invalid_request` for an invalid position.
 */
export async function previewPayoutRun(
  context: Context,
  query: PreviewPayoutRun,
): Promise<RowPage<PayoutPreview>> {
  const { database, organization } = context;
  await readPreview(context);
  const filter = await filterOf(context, query);
  let last: PreviewPosition | null = null;
  return await readRowPage(query, {
    read: async (range) => {
      const search = { filter, range, searched: SEARCHED };
      const rows = await listPreviewRows(database, organization.id, search);
      if (isFrequent(filter) && rows.length < range.limit) {
        last = await findLastSearched(database, organization.id, search);
      }
      return rows;
    },
    parse: readPosition,
    positionOf: ({ affiliate_id, currency, due_minor, held_minor }) =>
      writePosition({
        affiliate_id,
        currency,
        amount_minor: query.part === "held" ? held_minor : due_minor,
      }),
    view: viewPreview,
    continuesAt: () => last && writePosition(last),
  });
}

function writePosition({ currency, amount_minor, affiliate_id }: PreviewPosition): string {
  return `${currency} ${amount_minor} ${affiliate_id}`;
}

async function filterOf(
  { database, organization }: Context,
  { part, currency, text }: PreviewPayoutRun,
): Promise<PreviewFilter> {
  if (text === undefined) return { part, currency };
  return { part, currency, text: await findAffiliateText(database, organization.id, text) };
}

const POSITION =
  /^([A-Z]{3}) (-?[0-9]{1,18}) ([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})$/;

function readPosition(cursor: string): PreviewPosition {
  const [, currency, amount, affiliate_id] = POSITION.exec(cursor) ?? [];
  if (currency === undefined || amount === undefined || affiliate_id === undefined) {
    throw invalidField("after", "Must be a position from a list response.");
  }
  return { currency, amount_minor: BigInt(amount), affiliate_id };
}

const outcome = z.enum(["included", "held", "below_minimum", "negative", "withheld"]);

function viewPreview({ due_minor, held_minor, held_until, ...row }: PreviewRow): PayoutPreview {
  return {
    affiliate_id: row.affiliate_id,
    affiliate_name: row.affiliate_name,
    payout_email: row.payout_email,
    has_payout_email: row.has_payout_email,
    currency: row.currency,
    outcome: outcome.parse(row.outcome),
    amount: toMajor(due_minor, row.currency),
    payment_count: row.payment_count,
    held_amount: toMajor(held_minor, row.currency),
    held_until: held_until?.toISOString() ?? null,
    banned: row.banned,
    agreement: agreementOf(row),
    hold_reason: row.hold_reason,
    hold_is_stale: row.hold_is_stale,
  };
}
