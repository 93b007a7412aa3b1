import { randomUUID } from "node:crypto";
import type { Transaction } from "@findersfee/database/postgres/connect";
import { commission, type Damage } from "./entry-damages.ts";
import type { FilledLedger } from "./filled.ts";

/** Gives a payment's name to another commission. */
async function giveName(
  sql: Transaction,
  { context: { organization } }: FilledLedger,
  { name, to }: { name: string; to: string },
): Promise<void> {
  await sql`
    update payment_names set commission_id = ${to} where organization_id = ${organization.id} and name = ${name}`;
}

async function changeDecision(
  sql: Transaction,
  { context: { organization } }: FilledLedger,
  { of, ...columns }: { of: string; commission_id?: string; reversed_minor?: bigint },
): Promise<void> {
  await sql`
    update payment_decisions set ${sql(columns as never)}
    where organization_id = ${organization.id} and payment_id = ${of}`;
}

async function forgetCommissionByHand(sql: Transaction, { context: { organization } }: FilledLedger) {
  await sql`
    update payment_decisions set manual_commission_id = null where organization_id = ${organization.id}`;
}

/** A person changed the amount when a part of the payment had been taken back. */
async function correct(
  sql: Transaction,
  { context: { organization } }: FilledLedger,
  { id, minor, included }: { id: string; minor: bigint; included: bigint },
): Promise<void> {
  await sql`
    insert into commission_corrections (organization_id, commission_id, commission_minor, reversed_minor, amounts_at)
    values (${organization.id}, ${id}, ${String(minor)}, ${String(included)}, now())`;
}

const reversalMissing = (id: string) => `reversal_missing: ${commission(id)}`;

export const of_payments: readonly Damage[] = [
  {
    name: "a payment's name has no commission",
    damage: async (sql, ledger) => {
      await giveName(sql, ledger, { name: "pi_partly", to: randomUUID() });
      return ["payment_name: payment pi_partly"];
    },
  },
  {
    name: "a commission waits because of a signal that its payment does not have",
    damage: async (sql, { context: { organization }, commissions: { partly } }) => {
      await sql`update commissions set review_state = 'pending' where id = ${partly}`;
      await sql`update unpaid_commissions set due_at = 'infinity' where commission_id = ${partly}`;
      await sql`
        insert into commission_reviews (organization_id, commission_id, reasons, created_at)
        values (${organization.id}, ${partly}, ${["signal:shared_domain"]}, now())`;
      return [`signal_reviews: ${commission(partly)}`];
    },
  },
  {
    name: "a commission waits for no review",
    damage: async (sql, { commissions: { partly } }) => {
      await sql`update commissions set review_state = 'pending' where id = ${partly}`;
      await sql`update unpaid_commissions set due_at = 'infinity' where commission_id = ${partly}`;
      return [`pending_review: ${commission(partly)}`];
    },
  },
  {
    name: "a payment's name is free again",
    damage: async (sql, { context: { organization }, commissions: { partly } }) => {
      await sql`
        delete from payment_names where organization_id = ${organization.id} and name = 'in_partly'`;
      return [`commission_name: ${commission(partly)}`];
    },
  },
  {
    name: "a commission shows a payment that another one has",
    damage: async (sql, ledger) => {
      const { partly, unpaid } = ledger.commissions;
      await giveName(sql, ledger, { name: "in_partly", to: unpaid });
      return [`commission_name: ${commission(partly)}`, "payment_commissions: payment in_partly"];
    },
  },
  {
    name: "a payment has a commission of its own and one by hand",
    damage: async (sql, ledger) => {
      await changeDecision(sql, ledger, { of: "in_by_hand", commission_id: ledger.commissions.unpaid });
      return ["payment_commissions: payment in_by_hand"];
    },
  },
  {
    name: "a commission by hand has another name of a payment",
    damage: async (sql, ledger) => {
      await giveName(sql, ledger, { name: "pi_partly", to: ledger.commissions.unpaid });
      return ["payment_commissions: payment in_partly"];
    },
  },
  {
    name: "two commissions by hand have the names of a payment",
    damage: async (sql, ledger) => {
      await forgetCommissionByHand(sql, ledger);
      await giveName(sql, ledger, { name: "pi_by_hand", to: ledger.commissions.unpaid });
      return ["payment_commissions: payment in_by_hand"];
    },
  },
  {
    name: "a refund of a payment is missing",
    damage: async (sql, ledger) => {
      await changeDecision(sql, ledger, { of: "in_partly", reversed_minor: 4_100n });
      return [reversalMissing(ledger.commissions.partly)];
    },
  },
  {
    name: "a refund of a payment whose commission was corrected is missing",
    damage: async (sql, ledger) => {
      const { partly } = ledger.commissions;
      await correct(sql, ledger, { id: partly, minor: 1_801n, included: 4_000n });
      await changeDecision(sql, ledger, { of: "in_partly", reversed_minor: 4_100n });
      return [reversalMissing(partly)];
    },
  },
  {
    name: "a refund of a payment with a commission by hand is missing",
    damage: async (sql, ledger) => {
      await changeDecision(sql, ledger, { of: "in_by_hand", reversed_minor: 10_000n });
      return [reversalMissing(ledger.commissions.by_hand)];
    },
  },
  {
    name: "a customer has two affiliates",
    damage: async (sql, { joe }) => {
      await sql`
        update referrals set email = 'Later@customers.test', attributed_by = 'stripe:checkout:cs_2',
          attributed_at = now()
        where id = ${joe.referral_id}`;
      return [`customer_affiliate: referral ${joe.referral_id}`];
    },
  },
  {
    name: "a customer who was moved has another affiliate",
    damage: async (sql, { context: { organization }, joe, jane }) => {
      const customer_id = randomUUID();
      await sql`
        insert into customer_keys (organization_id, customer_id, key)
        select organization_id, ${customer_id}, 'email:' || lower(email) from referrals
        where id = ${joe.referral_id}
        on conflict (organization_id, key) do update set customer_id = excluded.customer_id`;
      const move = { type: "move", affiliate_id: jane.affiliate_id, since: "2026-01-01", undone_at: null };
      await sql`
        insert into payment_facts ${sql({
          organization_id: organization.id,
          processor: "organization",
          kind: "override",
          subject: randomUUID(),
          customer_id,
          state_at: new Date(),
          rank: 0,
          message_id: "",
          data: sql.json(move),
        })}`;
      return [`moved_customer: referral ${joe.referral_id}`];
    },
  },
];
