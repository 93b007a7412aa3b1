import { randomUUID } from "node:crypto";
import { balanceOf, type Damage, entryOf, payout, putInto } from "./entry-damages.ts";

const adjustment = (id: string) => `adjustment ${id}`;

export const of_adjustments: readonly Damage[] = [
  {
    name: "an adjustment's amount",
    damage: async (sql, { adjustments: { affiliate_id, unpaid } }) => {
      await sql`update adjustments set amount_minor = amount_minor - 1 where id = ${unpaid}`;
      return [
        `adjustment_entries: ${adjustment(unpaid)}`,
        `unpaid_commission: ${adjustment(unpaid)}`,
        `balance_commissions: ${balanceOf(affiliate_id)}`,
      ];
    },
  },
  {
    name: "an adjustment of an unknown commission",
    damage: async (sql, { adjustments: { placed } }) => {
      await sql`update adjustments set commission_id = ${randomUUID()} where id = ${placed}`;
      return [`adjustment_commission: ${adjustment(placed)}`];
    },
  },
  {
    name: "an adjustment is gone that a payout has",
    damage: async (sql, { adjustments: { affiliate_id, placed } }) => {
      await sql`delete from adjustments where id = ${placed}`;
      const [row] = await sql<{ payout_id: string }[]>`
        select payout_id from payout_commissions where commission_id = ${placed}`;
      const payout_id = row?.payout_id ?? "";
      const made = await entryOf(sql, placed, "adjusted");
      const put = await putInto(sql, payout_id);
      return [
        `adjustment_entries: ${adjustment(placed)}`,
        ...[made, put].map(({ number }) => `entry_commission: entry ${number}`),
        `commission_payout: commission ${placed}`,
        `payout_amount: ${payout(payout_id)}`,
        `balance_commissions: ${balanceOf(affiliate_id)}`,
      ];
    },
  },
  {
    name: "a withdrawn adjustment is owed",
    damage: async (sql, { context: { organization }, adjustments: { affiliate_id, withdrawn } }) => {
      await sql`
        insert into unpaid_commissions (organization_id, commission_id, affiliate_id, currency, commission_minor, due_at)
        select organization_id, id, affiliate_id, currency, amount_minor, created_at from adjustments
        where organization_id = ${organization.id} and affiliate_id = ${affiliate_id} and id = ${withdrawn}`;
      return [`commission_state: ${adjustment(withdrawn)}`];
    },
  },
  {
    name: "an adjustment's sum in the balance",
    damage: async (sql, { adjustments: { affiliate_id } }) => {
      await sql`update balances set adjusted_minor = adjusted_minor + 1 where affiliate_id = ${affiliate_id}`;
      return [`balance_entries: ${balanceOf(affiliate_id)}`, `balance_sum: ${balanceOf(affiliate_id)}`];
    },
  },
  {
    name: "an adjustment is paid before it was made",
    damage: async (sql, { adjustments: { placed } }) => {
      await sql`update adjustments set created_at = created_at + interval '1 day' where id = ${placed}`;
      return [`payout_due: ${adjustment(placed)}`];
    },
  },
];
