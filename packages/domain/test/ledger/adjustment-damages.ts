import { randomUUID } from "node:crypto";
import type { Transaction } from "@findersfee/database/postgres/connect";
import { balanceOf, type Damage, entryOf, payout, putInto } from "./entry-damages.ts";
import type { FilledLedger } from "./filled.ts";

const adjustment = (id: string) => `adjustment ${id}`;

/** Makes an adjustment the bonus for a tier in the period from a day on. */
async function giveBonus(
  sql: Transaction,
  {
    context: { organization },
    affiliate_id,
    adjustment_id,
    from,
  }: Pick<FilledLedger, "context"> & { affiliate_id: string; adjustment_id: string; from: string },
): Promise<void> {
  await sql`
    insert into tier_bonuses (organization_id, affiliate_id, tier_id, period_start, adjustment_id)
    values (${organization.id}, ${affiliate_id}, ${randomUUID()}, ${from}::text::date, ${adjustment_id})`;
}

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
  {
    name: "a bonus of another affiliate",
    damage: async (sql, { context, jane, adjustments: { placed } }) => {
      await giveBonus(sql, {
        context,
        affiliate_id: jane.affiliate_id,
        adjustment_id: placed,
        from: "-infinity",
      });
      return [`tier_bonus: ${adjustment(placed)}`];
    },
  },
  {
    name: "a bonus of less than nothing",
    damage: async (sql, { context, adjustments: { affiliate_id, unpaid } }) => {
      await giveBonus(sql, { context, affiliate_id, adjustment_id: unpaid, from: "-infinity" });
      return [`tier_bonus: ${adjustment(unpaid)}`];
    },
  },
  {
    name: "a bonus from before its period",
    damage: async (sql, { context, adjustments: { affiliate_id, placed } }) => {
      await giveBonus(sql, { context, affiliate_id, adjustment_id: placed, from: "2999-01-01" });
      return [`tier_bonus: ${adjustment(placed)}`];
    },
  },
  {
    name: "a bonus that nobody gave",
    damage: async (sql, { context, adjustments: { affiliate_id } }) => {
      const adjustment_id = randomUUID();
      await giveBonus(sql, { context, affiliate_id, adjustment_id, from: "-infinity" });
      return [`tier_bonus: ${adjustment(adjustment_id)}`];
    },
  },
];
