import type { DryRun, DryRunPayment } from "@findersfee/contract/attribution/payment-decisions";
import { currencyDecimals } from "@findersfee/contract/currencies";
import { findCustomerKeys } from "@findersfee/database/attribution/facts";
import { type Transaction, transaction } from "@findersfee/database/postgres/connect";
import { lockPayments } from "@findersfee/database/processors/due-messages";
import type { Context } from "../context.ts";
import { invalidField } from "../errors.ts";
import { newId } from "../ids.ts";
import { toMinor } from "../money.ts";
import { reattributeCustomer } from "./decide/reattribute.ts";
import { customerKeys } from "./facts/fact-names.ts";
import type { PaymentMade } from "./facts/payment-fact.ts";
import { EMPTY_SNAPSHOT, type StoredFact } from "./facts/stored-fact.ts";
import { viewDecided } from "./view.ts";
import { customerBefore } from "./write/customer-history.ts";
import { loadCustomers } from "./write/load.ts";
import { loadFacts } from "./write/load-facts.ts";

/**
 * Calculates the commission of a hypothetical payment with the rules for real ones. Changes nothing. Errors:
 * `invalid_request`.
 */
export async function dryRunPayment(context: Context, input: DryRunPayment): Promise<DryRun> {
  const { database, organization } = context;
  const payment = hypotheticalPayment(input, organization.currency);
  const stored: StoredFact = {
    processor: "generic",
    message_id: "",
    fact: payment,
    snapshot: EMPTY_SNAPSHOT,
  };
  const decided = await transaction(database, (sql) => decide(sql, context, stored));
  const { outcome, commission_minor, affiliate, referral, explanation } = decided;
  const { currency, revenue_minor, paid_at } = payment;
  const reported = {
    outcome,
    currency,
    revenue_minor,
    commission_minor,
    paid_at,
    affiliate_id: affiliate?.affiliate_id ?? null,
    referral_id: referral?.id ?? null,
  };
  const has_product_rates = affiliate !== null && affiliate.terms.products.length > 0;
  return {
    ...viewDecided(reported, explanation, organization.currency),
    without_products: has_product_rates && payment.lines.length === 0,
  };
}

async function decide(sql: Transaction, { organization }: Context, stored: StoredFact) {
  await lockPayments(sql, organization.id);
  const known = await findCustomerKeys(sql, organization.id, customerKeys(stored));
  const customer_ids = [...new Set(known.values())];
  const reported = await loadFacts(sql, organization.id, customer_ids);
  // A payment can reveal that several customers are the same.
  const facts = [...[...reported.values()].flat(), stored];
  const loaded = await loadCustomers(sql, organization, new Map([[newId(new Date()), facts]]), {
    lock: false,
    customer_ids,
  });
  const { payments } = reattributeCustomer(customerBefore(loaded, facts).history);
  const decided = payments.find(({ payment }) => payment === stored.fact);
  if (decided === undefined) throw new Error("attribution returned no decision for the payment");
  return decided;
}

function hypotheticalPayment(input: DryRunPayment, default_currency: string): PaymentMade {
  const { currency = default_currency, customer_id = null, email = null, promo_code, click_id } = input;
  const revenue_minor = requireMinor("revenue_amount", input.revenue_amount, currency);
  const paid_at = input.paid_at === undefined ? new Date() : new Date(input.paid_at);
  return {
    kind: "payment",
    // No processor uses this payment id.
    subject: newId(new Date()),
    at: paid_at,
    rank: 0,
    references: [],
    belongs_to: [],
    customer_id,
    email,
    promo_codes: promo_code === undefined ? [] : [{ external_id: null, code: promo_code }],
    click_ids: click_id === undefined ? [] : [click_id],
    paid_at,
    currency,
    revenue_minor,
    paid_minor: revenue_minor,
    lines: input.lines.map(({ product_id, amount }, index) => ({
      product_id,
      amount_minor: requireMinor(`lines[${index}].amount`, amount, currency),
    })),
  };
}

function requireMinor(path: string, amount: number, currency: string): bigint {
  const minor = toMinor(amount, currency);
  if (minor !== null) return minor;
  throw invalidField(path, `An amount in ${currency} has at most ${currencyDecimals(currency)} decimals.`);
}
