import type { PaymentExplained } from "@findersfee/contract/attribution/payment-rows";
import type { RemainingEarning } from "@findersfee/contract/attribution/reversals";
import { findAffiliates } from "@findersfee/database/affiliates/affiliates";
import type { PaymentDecisionRow } from "@findersfee/database/attribution/decisions";
import { findPaymentDecision } from "@findersfee/database/attribution/decisions";
import { listCustomerKeys } from "@findersfee/database/attribution/list-payment-rows";
import { findCommission } from "@findersfee/database/commissions/commissions";
import { listRelatedCommissions } from "@findersfee/database/commissions/story";
import { listEntriesOf } from "@findersfee/database/ledger/entries";
import type { Context } from "../context.ts";
import { notFound } from "../errors.ts";
import { toMajor } from "../money.ts";
import { explainCandidates, viewAffiliateState } from "./explain-candidates.ts";
import { explainOverride } from "./explain-override.ts";
import { paymentNames } from "./facts/fact-names.ts";
import type { StoredFact } from "./facts/stored-fact.ts";
import { findReferredBy } from "./referred-by.ts";
import { remainingOf } from "./remaining.ts";
import { findReportedReversals, type ReportedReversal, viewPart } from "./reported-reversals.ts";
import { viewPaymentDecision } from "./view.ts";
import { readExplanation } from "./write/explanation.ts";
import { loadFacts } from "./write/load-facts.ts";

/** A customer of years has hundreds of reports; the page shows only the payment's. */
const MAX_REPORTS = 50;
/** Those of a commission and its reversals. */
const MAX_ENTRIES = 1_000;

/** The decision on a payment with everything that it refers to. Errors: `not_found`. */
export async function explainPayment(context: Context, id: string): Promise<PaymentExplained> {
  const { database, organization } = context;
  const row = await findPaymentDecision(database, organization.id, id);
  if (row === null) throw notFound("payment decision");
  const { paid_at, customer_id, affiliate_id } = row;
  const commission_id = row.manual_commission_id ?? row.commission_id;
  const [candidates, keys, facts, affiliates, commission, taken_back, referred_by, override] =
    await Promise.all([
      explainCandidates(
        database,
        organization.id,
        readExplanation(row.explanation).candidates.map((candidate) => ({ candidate, paid_at })),
      ),
      listCustomerKeys(database, organization.id, customer_id),
      loadFacts(database, organization.id, [customer_id]),
      affiliate_id === null ? [] : findAffiliates(database, organization.id, [affiliate_id]),
      commission_id === null ? null : findCommission(database, organization.id, commission_id),
      findReportedReversals(database, organization.id, [row]),
      findReferredBy(database, organization.id, row.referral_id),
      explainOverride(database, organization.id, row.explanation),
    ]);
  const parts = taken_back.get(id) ?? [];
  const [affiliate] = affiliates;
  return {
    decision: viewPaymentDecision(row, organization.currency),
    customer: { emails: namesOf(keys, "email:"), processor_ids: namesOf(keys, "customer:") },
    affiliate:
      affiliate === undefined
        ? null
        : {
            ...viewAffiliateState(affiliate),
            campaign: { id: affiliate.campaign.id, name: affiliate.campaign.name },
          },
    candidates,
    referred_by,
    override,
    commission:
      commission === null
        ? null
        : {
            id: commission.id,
            commission_amount: toMajor(commission.commission_minor, commission.currency),
            payout_status: commission.payout_status,
            is_manual: row.manual_commission_id !== null,
          },
    remaining:
      commission_id === null
        ? null
        : await readRemaining(context, { decision: row, commission_id, taken_back: parts }),
    taken_back: parts.map(viewPart),
    reports: reportsOf(row, facts.get(customer_id) ?? []),
  };
}

function namesOf(keys: readonly string[], kind: string): string[] {
  return keys.filter((key) => key.startsWith(kind)).map((key) => key.slice(kind.length));
}

/** The rest of a payment's commission, also of a manual one. */
async function readRemaining(
  { database, organization }: Context,
  {
    decision,
    commission_id,
    taken_back,
  }: {
    decision: PaymentDecisionRow;
    commission_id: string;
    taken_back: readonly ReportedReversal[];
  },
): Promise<RemainingEarning> {
  const related = await listRelatedCommissions(database, organization.id, {
    id: commission_id,
    reversal_of: null,
  });
  const entries = await listEntriesOf(database, organization.id, {
    commission_ids: [commission_id, ...related.map(({ id }) => id)],
    limit: MAX_ENTRIES,
  });
  return remainingOf({
    commission_id,
    currency: decision.currency,
    decision,
    entries,
    taken_back,
  });
}

/** The reports about the payment, and those about its customer that can attribute it. */
function reportsOf(row: PaymentDecisionRow, facts: readonly StoredFact[]): PaymentExplained["reports"] {
  const own = `${row.processor}:payment:${row.payment_id}`;
  const of_payment = facts.filter((stored) => paymentNames(stored).includes(own));
  const names = new Set(of_payment.flatMap(paymentNames));
  return facts
    .filter(({ fact: { kind } }) => kind !== "override")
    .filter((stored) => isSource(stored) || paymentNames(stored).some((name) => names.has(name)))
    .sort((a, b) => a.fact.at.getTime() - b.fact.at.getTime())
    .slice(-MAX_REPORTS)
    .map(({ processor, message_id, fact: { kind, subject, at } }) => ({
      processor,
      message_id,
      kind,
      subject,
      at: at.toISOString(),
    }));
}

function isSource({ fact: { kind } }: StoredFact): boolean {
  return kind === "checkout" || kind === "customer" || kind === "signup";
}
