import { randomUUID } from "node:crypto";
import type { Transaction } from "@findersfee/database/postgres/connect";
import { commission, type Damage } from "./entry-damages.ts";
import type { FilledLedger } from "./filled.ts";

/** Makes the unpaid commission, 5.00 USD, one for a lead with these terms. */
async function makeLead(
  sql: Transaction,
  { jane, commissions: { unpaid } }: FilledLedger,
  { amount_minor, currency = "USD" }: { amount_minor: string | null; currency?: string },
): Promise<void> {
  const terms =
    amount_minor === null ? [] : [{ affiliate_id: jane.affiliate_id, amount_minor, refusal: null }];
  await sql`update commissions set lead = 'demo_booked', revenue_minor = 0 where id = ${unpaid}`;
  await sql`
    insert into leads (organization_id, id, referral_id, kind, occurred_at, created_at, terms, currency, outcome,
      affiliate_id, commission_id)
    select organization_id, ${randomUUID()}, referral_id, 'demo_booked', now(), now(), ${sql.json(terms)}, ${currency},
      'commission', affiliate_id, id
    from commissions where id = ${unpaid}`;
}

export const of_leads: readonly Damage[] = [
  {
    name: "a commission for a lead of another amount",
    damage: async (sql, ledger) => {
      await makeLead(sql, ledger, { amount_minor: "400" });
      return [`lead_amount: ${commission(ledger.commissions.unpaid)}`];
    },
  },
  {
    name: "a commission for a lead without terms",
    damage: async (sql, ledger) => {
      await makeLead(sql, ledger, { amount_minor: null });
      return [`lead_amount: ${commission(ledger.commissions.unpaid)}`];
    },
  },
  {
    name: "a commission for a lead in another currency",
    damage: async (sql, ledger) => {
      await makeLead(sql, ledger, { amount_minor: "500", currency: "EUR" });
      return [`lead_amount: ${commission(ledger.commissions.unpaid)}`];
    },
  },
  {
    name: "a lead that no longer earns has its commission",
    damage: async (sql, ledger) => {
      await makeLead(sql, ledger, { amount_minor: "500" });
      await sql`
        update leads set outcome = 'referral_withdrawn' where commission_id = ${ledger.commissions.unpaid}`;
      return [`lead_commission: ${commission(ledger.commissions.unpaid)}`];
    },
  },
  {
    name: "a commission of no lead",
    damage: async (sql, { commissions: { unpaid } }) => {
      await sql`update commissions set lead = 'demo_booked', revenue_minor = 0 where id = ${unpaid}`;
      return [`lead_commission: ${commission(unpaid)}`];
    },
  },
  {
    name: "a lead of no referral",
    damage: async (sql, { context: { organization }, jane }) => {
      const id = randomUUID();
      await sql`
        insert into leads (organization_id, id, referral_id, kind, occurred_at, created_at, terms, currency, outcome,
          affiliate_id)
        values (${organization.id}, ${id}, ${randomUUID()}, 'demo_booked', now(), now(), '[]', 'USD',
          'no_lead_commission', ${jane.affiliate_id})`;
      return [`lead_referral: lead ${id}`];
    },
  },
];
