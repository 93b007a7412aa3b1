import type { PaymentExplained } from "@findersfee/contract/attribution/payment-rows";
import { findAffiliates } from "@findersfee/database/affiliates/affiliates";
import type { PaymentDecisionRow } from "@findersfee/database/attribution/decisions";
import { findPaymentDecision } from "@findersfee/database/attribution/decisions";
import { listCustomerKeys } from "@findersfee/database/attribution/list-payment-rows";
import { findCommission } from "@findersfee/database/commissions/commissions";
import type { Context } from "../context.ts";
import { notFound } from "../errors.ts";
import { toMajor } from "../money.ts";
import { explainCandidates, viewAffiliateState } from "./explain-candidates.ts";
import { paymentNames } from "./facts/fact-names.ts";
import type { StoredFact } from "./facts/stored-fact.ts";
import { viewPaymentDecision } from "./view.ts";
import { readExplanation } from "./write/explanation.ts";
import { loadFacts } from "./write/load.ts";

/** A customer of years has hundreds of reports; the page shows those of one payment. */
const MAX_REPORTS = 50;

/** The decision on a payment with everything that it refers to. Errors: `not_found`. */
export async function explainPayment(context: Context, id: string): Promise<PaymentExplained> {
  const { database, organization } = context;
  const row = await findPaymentDecision(database, organization.id, id);
  if (row === null) throw notFound("payment decision");
  const { paid_at, customer_id, affiliate_id, commission_id } = row;
  const [candidates, keys, facts, affiliates, commission] = await Promise.all([
    explainCandidates(
      database,
      organization.id,
      readExplanation(row.explanation).candidates.map((candidate) => ({ candidate, paid_at })),
    ),
    listCustomerKeys(database, organization.id, customer_id),
    loadFacts(database, organization.id, [customer_id]),
    affiliate_id === null ? [] : findAffiliates(database, organization.id, [affiliate_id]),
    commission_id === null ? null : findCommission(database, organization.id, commission_id),
  ]);
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
    commission:
      commission === null
        ? null
        : {
            id: commission.id,
            commission_amount: toMajor(commission.commission_minor, commission.currency),
            payout_status: commission.payout_status,
          },
    reports: reportsOf(row, facts.get(customer_id) ?? []),
  };
}

function namesOf(keys: readonly string[], kind: string): string[] {
  return keys.filter((key) => key.startsWith(kind)).map((key) => key.slice(kind.length));
}

/** The reports about the payment, and those about its customer that can attribute it. */
function reportsOf(row: PaymentDecisionRow, facts: readonly StoredFact[]): PaymentExplained["reports"] {
  const own = `${row.processor}:payment:${row.payment_id}`;
  const of_payment = facts.filter((stored) => paymentNames(stored).includes(own));
  const names = new Set(of_payment.flatMap(paymentNames));
  return facts
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
