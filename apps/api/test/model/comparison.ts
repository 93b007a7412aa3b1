import type { Commission } from "@findersfee/contract/commissions/commissions";
import { type History, unitOf } from "./history.ts";
import { otherPaymentId, paymentId } from "./names.ts";
import type { Program } from "./program.ts";
import type { Result } from "./state.ts";

/** A value that differs. */
export interface Difference {
  what: string;
  expected: string;
  actual: string;
}

/** What the service says of each payment and balance, as texts to compare and to print. */
export async function readResult(history: History, program: Program): Promise<Map<string, string>> {
  const { organization, staff } = program;
  const values = new Map<string, string>();
  const decisions = await staff.payment_decisions.list.query({ limit: 100 });
  const { data: commissions } = await organization.trpc.commissions.list.query({ limit: 100 });
  const other_names = new Map<string | null, string>();
  for (const step of history.steps) {
    const payment = step.kind === "payment" ? step.name : step.kind === "manual" ? step.payment : null;
    if (payment !== null) other_names.set(otherPaymentId(history, payment), paymentId(history, payment));
  }
  other_names.delete(null);
  const named = (name: string | null) => other_names.get(name) ?? name;
  for (const decision of decisions.data) {
    const { processor_payment_id, currency, outcome, affiliate_id, commission_amount } = decision;
    const remaining = commissions
      .filter((commission) => named(commission.processor_payment_id) === processor_payment_id)
      .filter(({ payout_status }) => payout_status !== "voided")
      .reduce((sum, commission) => sum + minor(commission.commission_amount, commission.currency), 0);
    values.set(
      processor_payment_id,
      paymentText({
        outcome,
        affiliate: affiliate_id === null ? null : program.affiliates.indexOf(affiliate_id),
        amount: minor(commission_amount, currency),
        remaining,
      }),
    );
  }
  const leads = new Map<string, number>();
  for (const { lead, affiliate, payout_status, ...paid } of commissions) {
    if (lead === null || payout_status === "voided") continue;
    const key = `${lead} of affiliate ${program.affiliates.indexOf(affiliate.id)}`;
    leads.set(key, (leads.get(key) ?? 0) + minor(paid.commission_amount, paid.currency));
  }
  setLeads(values, leads);
  setRecruits(values, recruitsOf(commissions, { program, named }));
  for (const [number, affiliate_id] of program.affiliates.entries()) {
    if (affiliate_id === undefined) continue;
    for (const balance of await staff.balances.list.query({ affiliate_id })) {
      const { currency } = balance;
      const [held, due] = [minor(balance.held, currency), minor(balance.due, currency)];
      const [in_payout, paid] = [minor(balance.in_payout, currency), minor(balance.paid, currency)];
      set(values, { affiliate: number, currency, held, due, in_payout, paid });
    }
  }
  return values;
}

export function textsOf(history: History, result: Result): Map<string, string> {
  const values = new Map<string, string>();
  for (const [name, payment] of result.payments) values.set(paymentId(history, name), paymentText(payment));
  setLeads(values, result.leads);
  setRecruits(values, result.recruits);
  for (const balance of result.balances) set(values, balance);
  return values;
}

export function compare(expected: Map<string, string>, actual: Map<string, string>): Difference[] {
  const names = [...new Set([...expected.keys(), ...actual.keys()])].sort();
  return names
    .map((what) => ({ what, expected: expected.get(what) ?? "none", actual: actual.get(what) ?? "none" }))
    .filter((difference) => difference.expected !== difference.actual);
}

function set(values: Map<string, string>, balance: Result["balances"][number]): void {
  const { affiliate, currency, held, due, in_payout, paid } = balance;
  // Without any amount, a balance may be there or not.
  if ([held, due, in_payout, paid].every((amount) => amount === 0)) return;
  const text = `held ${held}, due ${due}, in payouts ${in_payout}, paid ${paid}`;
  values.set(`balance of affiliate ${affiliate} in ${currency}`, text);
}

/** A reversal beside a commission of a lead leaves nothing, too. */
function setLeads(values: Map<string, string>, leads: Map<string, number>): void {
  for (const [what, amount] of leads) if (amount !== 0) values.set(`leads: ${what}`, String(amount));
}

function setRecruits(values: Map<string, string>, recruits: Map<string, number>): void {
  for (const [what, amount] of recruits)
    if (amount !== 0) values.set(`of a recruit: ${what}`, String(amount));
}

/** What recruiters have of each commission, by the payment or the lead of that one. */
function recruitsOf(
  commissions: readonly Commission[],
  { program, named }: { program: Program; named: (name: string | null) => string | null },
): Map<string, number> {
  const sums = new Map<string, number>();
  const roots = new Map(commissions.map((commission) => [commission.id, commission]));
  for (const { recruit_commission_id, affiliate, currency, ...line } of commissions) {
    const root = roots.get(recruit_commission_id ?? "");
    if (root === undefined || line.payout_status === "voided") continue;
    const name = root.lead ?? named(root.processor_payment_id) ?? "by hand";
    const key = `${name} to affiliate ${program.affiliates.indexOf(affiliate.id)} in ${currency}`;
    sums.set(key, (sums.get(key) ?? 0) + minor(line.commission_amount, currency));
  }
  return sums;
}

interface PaymentValues {
  outcome: string;
  affiliate: number | null;
  amount: number;
  remaining: number;
}

/** The affiliate is compared where it earns: a decision without a commission may name the one who would have earned. */
function paymentText({ outcome, affiliate, amount, remaining }: PaymentValues): string {
  if (outcome !== "commission") return remaining === 0 ? outcome : `${outcome}, ${remaining} remain`;
  return `commission of affiliate ${affiliate}: ${amount}, ${remaining} remain`;
}

function minor(amount: number, currency: string): number {
  return Math.round(amount * unitOf(currency));
}
