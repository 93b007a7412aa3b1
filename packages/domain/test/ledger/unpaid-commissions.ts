import {
  insertWrittenCommissions,
  type NewWrittenCommission,
} from "@findersfee/database/commissions/changes";
import { findCommission } from "@findersfee/database/commissions/commissions";
import { insertPaymentNames } from "@findersfee/database/commissions/payment-names";
import { insertAdjustment } from "@findersfee/database/ledger/adjustments";
import type { CreationContext } from "../../src/commissions/create.ts";
import type { Context } from "../../src/context.ts";
import { newId } from "../../src/ids.ts";
import { postingsOfNew } from "../../src/ledger/postings.ts";
import { addEarner, earn, monthsAgo, payOut } from "./program.ts";

/** An affiliate's unpaid commissions in minor units; `held` ones are in their holding period. */
export interface UnpaidCommission {
  currency: string;
  amount_minor: number;
  held: boolean;
  /** An adjustment instead of a commission, which is never held. */
  is_adjustment?: boolean;
}

/** Reversed amounts were paid before, at least in part. */
const PAID_MINOR = 10_000;

/**
 * Creates an affiliate for each list, with these unpaid commissions; fast for many. In every organization, equal input creates
 * equal emails and payment ids, by which tests compare affiliates and commissions.
 */
export async function createUnpaidCommissions(
  context: CreationContext,
  lists: readonly (readonly UnpaidCommission[])[],
): Promise<void> {
  const template = await addEarner(context);
  const template_id = await earn(context, template, { amount: 1 });
  const now = new Date();
  const affiliates = lists.map((_, number) => ({ id: newId(now), email: `affiliate${number}@many.test` }));
  await copyAffiliates(context, template.affiliate_id, affiliates);
  const originals: NewCommission[] = [];
  const commissions = lists.flatMap((list, number) =>
    list.flatMap((unpaid, index): NewCommission[] => {
      if (unpaid.is_adjustment === true) return [];
      const commission = commissionOf(unpaid, { affiliate_id: affiliates[number]?.id ?? "", at: now });
      commission.processor_payment_id = `pay_${number}_${index}`;
      if (unpaid.amount_minor > 0) return [commission];
      const paid = { ...unpaid, amount_minor: Math.max(PAID_MINOR, -unpaid.amount_minor), held: false };
      const original = commissionOf(paid, { affiliate_id: commission.affiliate_id, at: now });
      originals.push(original);
      return [{ ...commission, reversal_of: original.id }];
    }),
  );
  await copyCommissions(context, template_id, originals);
  await payOut(context, monthsAgo(12));
  await copyCommissions(context, template_id, commissions);
  for (const [number, list] of lists.entries()) {
    const adjustments = list.filter(({ is_adjustment }) => is_adjustment === true);
    await adjust(context, affiliates[number]?.id ?? "", adjustments);
  }
}

async function adjust(
  { database, organization }: Context,
  affiliate_id: string,
  adjustments: readonly UnpaidCommission[],
): Promise<void> {
  for (const { currency, amount_minor } of adjustments) {
    const created_at = new Date();
    await insertAdjustment(database, organization.id, {
      ...{ id: newId(created_at), affiliate_id, currency, amount_minor: BigInt(amount_minor) },
      ...{ reason: "A bonus", commission_id: null, created_at, cause: "test" },
    });
  }
}

interface NewCommission {
  id: string;
  affiliate_id: string;
  currency: string;
  revenue_minor: number;
  commission_minor: number;
  reversal_of: string | null;
  processor_payment_id: string | null;
  held: boolean;
}

const DAY = 24 * 60 * 60 * 1000;

function commissionOf(
  { currency, amount_minor, held }: UnpaidCommission,
  { affiliate_id, at }: { affiliate_id: string; at: Date },
): NewCommission {
  return {
    id: newId(at),
    affiliate_id,
    currency,
    revenue_minor: amount_minor * 2,
    commission_minor: amount_minor,
    reversal_of: null,
    processor_payment_id: null,
    held,
  };
}

async function copyAffiliates(
  { database, organization }: Context,
  template_id: string,
  affiliates: { id: string; email: string }[],
): Promise<void> {
  await database`
    insert into affiliates
    select (jsonb_populate_record(template, one)).*
    from affiliates template, jsonb_array_elements(${JSON.stringify(affiliates)}::text::jsonb) as one
    where template.organization_id = ${organization.id} and template.id = ${template_id}`;
}

async function copyCommissions(
  { database, organization }: Context,
  template_id: string,
  commissions: NewCommission[],
): Promise<void> {
  const template = await findCommission(database, organization.id, template_id);
  if (template === null) throw new Error("there is no template");
  const { created_at } = template;
  const rows = commissions.map(
    ({ held, revenue_minor, commission_minor, ...commission }): NewWrittenCommission => {
      return {
        ...commission,
        revenue_minor: BigInt(revenue_minor),
        commission_minor: BigInt(commission_minor),
        referral_id: template.referral.id,
        payout_status: "not_paid",
        referral_date: new Date(created_at.getTime() + (held ? DAY : -DAY)),
        lead: null,
        recruit_commission_id: null,
        created_at,
        cause: "test",
        review: null,
      };
    },
  );
  await insertWrittenCommissions(database, organization.id, {
    commissions: rows,
    postings: rows.flatMap(postingsOfNew),
  });
  const named = rows.flatMap(({ id: commission_id, processor_payment_id: name, reversal_of }) =>
    name === null || reversal_of !== null ? [] : { name, commission_id },
  );
  await insertPaymentNames(database, organization.id, named);
}

/** All payouts and the state of each commission and adjustment, without ids, so that organizations can be compared. */
export async function outcomeOfPayouts({ database, organization }: Context): Promise<object> {
  const payouts = await database`
    select email, currency, amount_minor::text, payment_count, period, status
    from payouts
    join affiliates affiliate
      on affiliate.organization_id = payouts.organization_id and affiliate.id = payouts.affiliate_id
    where payouts.organization_id = ${organization.id} and email like '%@many.test'
    order by email, currency, period, amount_minor`;
  const commissions = await database`
    select processor_payment_id, payout_status, payout.amount_minor::text as payout_minor
    from commission_states commission
    left join payouts payout
      on payout.organization_id = commission.organization_id and payout.id = commission.payout_id
    where commission.organization_id = ${organization.id} and processor_payment_id is not null
    order by processor_payment_id`;
  const adjustments = await database`
    select email, adjustment.currency, adjustment.amount_minor::text, payout_status,
      payout.amount_minor::text as payout_minor
    from adjustment_states adjustment
    join affiliates affiliate
      on affiliate.organization_id = adjustment.organization_id and affiliate.id = adjustment.affiliate_id
    left join payouts payout
      on payout.organization_id = adjustment.organization_id and payout.id = adjustment.payout_id
    where adjustment.organization_id = ${organization.id}
    order by email, adjustment.currency, adjustment.amount_minor`;
  const [runs] = await database`
    select count(*)::int as count, count(finished_at)::int as finished from payout_runs
    where organization_id = ${organization.id}`;
  return {
    payouts: [...payouts],
    commissions: [...commissions],
    adjustments: [...adjustments],
    runs,
  };
}
